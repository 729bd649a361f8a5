"""Names of kinds, colours, classes and functions of Super Zwierzaki, in the reader's language."""

from __future__ import annotations

from collections.abc import Sequence

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

KIND_NAMES: dict[str, Promise] = {
    "1": pgettext_lazy("kind", "Black mamba"),
    "2": pgettext_lazy("kind", "Cheetah"),
    "3": pgettext_lazy("kind", "Brown hare"),
    "4": pgettext_lazy("kind", "African lion"),
    "5": pgettext_lazy("kind", "Peregrine falcon"),
    "6": pgettext_lazy("kind", "Mantis shrimp"),
    "7": pgettext_lazy("kind", "Springbok"),
    "8": pgettext_lazy("kind", "White-throated needletail"),
    "9": pgettext_lazy("kind", "Dragonfly"),
    "10": pgettext_lazy("kind", "Blue wildebeest"),
    "11": pgettext_lazy("kind", "Free-tailed bat"),
    "12": pgettext_lazy("kind", "Common warthog"),
    "13": pgettext_lazy("kind", "African buffalo"),
    "14": pgettext_lazy("kind", "Honey badger"),
    "15": pgettext_lazy("kind", "Black rhinoceros"),
    "16": pgettext_lazy("kind", "Emperor penguin"),
    "17": pgettext_lazy("kind", "Banded mongoose"),
    "18": pgettext_lazy("kind", "Bar-tailed godwit"),
    "19": pgettext_lazy("kind", "Koala"),
    "20": pgettext_lazy("kind", "Bactrian camel"),
    "21": pgettext_lazy("kind", "Chorus frog"),
    "22": pgettext_lazy("kind", "Monarch butterfly"),
    "23": pgettext_lazy("kind", "Pronghorn"),
    "24": pgettext_lazy("kind", "Black woodpecker"),
    "25": pgettext_lazy("kind", "Prairie rattlesnake"),
    "26": pgettext_lazy("kind", "Leopard seal"),
    "27": pgettext_lazy("kind", "Corroboree frog"),
    "28": pgettext_lazy("kind", "Slow loris"),
    "29": pgettext_lazy("kind", "Pufferfish"),
    "30": pgettext_lazy("kind", "Saw-scaled viper"),
    "31": pgettext_lazy("kind", "Poison dart frog"),
    "32": pgettext_lazy("kind", "Saltwater crocodile"),
    "33": pgettext_lazy("kind", "Southern cassowary"),
    "34": pgettext_lazy("kind", "Hippopotamus"),
    "35": pgettext_lazy("kind", "Mosquito"),
    "36": pgettext_lazy("kind", "African wild dog"),
    "37": pgettext_lazy("kind", "Bornean orangutan"),
    "38": pgettext_lazy("kind", "Cactus finch"),
    "39": pgettext_lazy("kind", "Green tree frog"),
    "40": pgettext_lazy("kind", "Brown rat"),
    "41": pgettext_lazy("kind", "New Caledonian crow"),
    "42": pgettext_lazy("kind", "Sea otter"),
    "43": pgettext_lazy("kind", "American alligator"),
    "44": pgettext_lazy("kind", "Egyptian vulture"),
    "45": pgettext_lazy("kind", "Chipmunk"),
    "46": pgettext_lazy("kind", "Acorn woodpecker"),
    "47": pgettext_lazy("kind", "Chimpanzee"),
    "48": pgettext_lazy("kind", "North American beaver"),
    "49": pgettext_lazy("kind", "Grizzly bear"),
    "50": pgettext_lazy("kind", "Tasmanian devil"),
    "51": pgettext_lazy("kind", "Orca"),
    "52": pgettext_lazy("kind", "Bengal tiger"),
    "53": pgettext_lazy("kind", "Komodo dragon"),
    "54": pgettext_lazy("kind", "Fossa"),
    "55": pgettext_lazy("kind", "Philippine eagle"),
    "56": pgettext_lazy("kind", "Grey wolf"),
    "57": pgettext_lazy("kind", "Polar bear"),
    "58": pgettext_lazy("kind", "Spotted hyena"),
    "59": pgettext_lazy("kind", "Africanised honey bee"),
    "60": pgettext_lazy("kind", "Wolverine"),
    "61": pgettext_lazy("kind", "Babirusa"),
    "62": pgettext_lazy("kind", "Shoebill"),
    "63": pgettext_lazy("kind", "Streaked tenrec"),
    "64": pgettext_lazy("kind", "Tube-nosed bat"),
    "65": pgettext_lazy("kind", "Pygmy three-toed sloth"),
    "66": pgettext_lazy("kind", "Proboscis monkey"),
    "67": pgettext_lazy("kind", "Nine-banded armadillo"),
    "68": pgettext_lazy("kind", "Narwhal"),
    "69": pgettext_lazy("kind", "Marabou stork"),
    "70": pgettext_lazy("kind", "Turtle frog"),
    "71": pgettext_lazy("kind", "Southern elephant seal"),
    "73": pgettext_lazy("kind", "Green heron"),
    "74": pgettext_lazy("kind", "Gaboon viper"),
    "75": pgettext_lazy("kind", "Great potoo"),
    "76": pgettext_lazy("kind", "Snow leopard"),
    "77": pgettext_lazy("kind", "Tawny frogmouth"),
    "78": pgettext_lazy("kind", "Leopard"),
    "79": pgettext_lazy("kind", "Great frigatebird"),
    "80": pgettext_lazy("kind", "Tokay gecko"),
    "81": pgettext_lazy("kind", "Horned leaf frog"),
    "82": pgettext_lazy("kind", "Alligator snapping turtle"),
    "83": pgettext_lazy("kind", "Bagworm moth"),
    "84": pgettext_lazy("kind", "Barn owl"),
    "85": pgettext_lazy("kind", "Black howler monkey"),
    "86": pgettext_lazy("kind", "African elephant"),
    "87": pgettext_lazy("kind", "Hyacinth macaw"),
    "88": pgettext_lazy("kind", "Bladder cicada"),
    "89": pgettext_lazy("kind", "Siamang"),
    "90": pgettext_lazy("kind", "Spiny katydid"),
    "91": pgettext_lazy("kind", "Coqui frog"),
    "92": pgettext_lazy("kind", "Weddell seal"),
    "93": pgettext_lazy("kind", "Water boatman"),
    "94": pgettext_lazy("kind", "Oilbird"),
    "95": pgettext_lazy("kind", "Right whale"),
    "96": pgettext_lazy("kind", "Pistol shrimp"),
    "97": pgettext_lazy("kind", "Whooping crane"),
    "98": pgettext_lazy("kind", "Mandrill"),
    "99": pgettext_lazy("kind", "Wapiti"),
    "100": pgettext_lazy("kind", "Swallowtail"),
    "101": pgettext_lazy("kind", "Western gorilla"),
    "102": pgettext_lazy("kind", "Indian peafowl"),
    "103": pgettext_lazy("kind", "Red-capped manakin"),
    "104": pgettext_lazy("kind", "Blue bird-of-paradise"),
    "105": pgettext_lazy("kind", "Capercaillie"),
    "106": pgettext_lazy("kind", "Ring-tailed lemur"),
    "107": pgettext_lazy("kind", "Common teal"),
    "108": pgettext_lazy("kind", "Red-eyed tree frog"),
    "109": pgettext_lazy("kind", "Alpaca"),
    "110": pgettext_lazy("kind", "Grey kangaroo"),
    "111": pgettext_lazy("kind", "White-tailed eagle"),
    "112": pgettext_lazy("kind", "Giant panda"),
    "113": pgettext_lazy("kind", "Great white shark"),
    "114": pgettext_lazy("kind", "Red fox"),
    "115": pgettext_lazy("kind", "Konik horse"),
    "116": pgettext_lazy("kind", "Domestic pig"),
}

SOFT_HYPHEN = "\u00ad"
"""Marks in a translation where a long name may be broken."""


def name_kind(word: str) -> str:
    """What a kind is called, as it stands in a sentence."""
    return str(KIND_NAMES[word]).replace(SOFT_HYPHEN, "")


def name_copies(word: str, count: int) -> str:
    """ "Koala", "3 × Koala"."""
    if count == 1:
        return name_kind(word)
    return gettext("%(count)s × %(animal)s") % {"count": count, "animal": name_kind(word)}


def name_cards(words: Sequence[str]) -> str:
    """ "Koala, 2 × Orca"."""
    return gettext(", ").join(name_copies(word, words.count(word)) for word in dict.fromkeys(words))


COLOUR_NAMES: dict[str, Promise] = {
    "LB": pgettext_lazy("colour", "light blue"),
    "LG": pgettext_lazy("colour", "light green"),
    "R": pgettext_lazy("colour", "red"),
    "DB": pgettext_lazy("colour", "dark blue"),
    "V": pgettext_lazy("colour", "violet"),
    "O": pgettext_lazy("colour", "orange"),
    "DG": pgettext_lazy("colour", "dark green"),
    "Y": pgettext_lazy("colour", "yellow"),
    "P": pgettext_lazy("colour", "pink"),
    "ALL": pgettext_lazy("colour", "every colour"),
}

CLASS_NAMES: dict[str, Promise] = {
    "all": pgettext_lazy("class", "every class"),
    "ape": pgettext_lazy("class", "apes"),
    "armadillo": pgettext_lazy("class", "armadillos"),
    "bat": pgettext_lazy("class", "bats"),
    "bear": pgettext_lazy("class", "bears"),
    "bird": pgettext_lazy("class", "birds"),
    "fish": pgettext_lazy("class", "fish"),
    "frog": pgettext_lazy("class", "frogs"),
    "hedgehog": pgettext_lazy("class", "hedgehogs"),
    "hippo": pgettext_lazy("class", "hippos"),
    "hoofed": pgettext_lazy("class", "hoofed animals"),
    "insect": pgettext_lazy("class", "insects"),
    "kangaroo": pgettext_lazy("class", "kangaroos"),
    "pig": pgettext_lazy("class", "pigs"),
    "predator": pgettext_lazy("class", "predators"),
    "reptile": pgettext_lazy("class", "reptiles"),
    "rodent": pgettext_lazy("class", "rodents"),
    "sea": pgettext_lazy("class", "sea animals"),
    "small": pgettext_lazy("class", "small mammals"),
    "tree": pgettext_lazy("class", "tree dwellers"),
}

FUNCTION_MARKS: dict[str, Promise] = {
    "Red": pgettext_lazy("function", "Red +2"),
    "Orc": pgettext_lazy("function", "Orca +3"),
    "Oth": pgettext_lazy("function", "Duel"),
    "Giv": pgettext_lazy("function", "Gift duel"),
    "All": pgettext_lazy("function", "Big Five"),
    "Pol": pgettext_lazy("function", "Tuck"),
    "Kaz": pgettext_lazy("function", "Give"),
    "War": pgettext_lazy("function", "Swap"),
    "Cch": pgettext_lazy("function", "Colour"),
    "Mch": pgettext_lazy("function", "Reverse"),
    "Dem": pgettext_lazy("function", "Demand"),
    "Stp": pgettext_lazy("function", "Stop"),
    "Dzi": pgettext_lazy("function", "Guard"),
    "Cyr": pgettext_lazy("function", "Veto"),
}
"""What stands on the card: a word, since the card is small."""

FUNCTION_HELP: dict[str, Promise] = {
    "Red": _("two red points per card: the next player answers them or takes that many cards"),
    "Orc": _(
        "three orca points per card: the next player answers them or draws that many cards, and you may "
        "name a new colour"
    ),
    "Oth": _("everybody but the winner draws cards"),
    "Giv": _("the winner may give cards away"),
    "All": _("fits every colour and class and sets the red points to zero"),
    "Pol": _("you may put half of your hand under the heap"),
    "Kaz": _("you may give half of your hand to somebody"),
    "War": _("you choose two players who swap hands"),
    "Cch": _("you may name a new colour"),
    "Mch": _("the playing order is reversed"),
    "Dem": _("you demand a kind of animal without a function"),
    "Stp": _("one stop point per card: the next player answers them or loses that many turns"),
    "Dzi": _("out of turn, it stops a win or the nine colours"),
    "Cyr": _("sets all counters to zero and, out of turn, rejects a play"),
}
"""What the card does, in one phrase."""
