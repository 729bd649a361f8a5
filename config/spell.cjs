// Writes which of the words on standard input (a JSON list) no dictionary has: `node spell.cjs PACKAGES de`.
"use strict";
const fs = require("node:fs");
const path = require("node:path");

async function main([packages, language]) {
  const { loadModule } = require(path.join(packages, "hunspell-asm"));
  const factory = await loadModule();
  const folder = path.join(packages, `dictionary-${language}`);
  const files = ["aff", "dic"].map((ending) =>
    factory.mountBuffer(fs.readFileSync(path.join(folder, `index.${ending}`)), `index.${ending}`),
  );
  const dictionary = factory.create(...files);
  const words = JSON.parse(fs.readFileSync(0, "utf8"));
  process.stdout.write(JSON.stringify(words.filter((word) => !dictionary.spell(word))));
}

main(process.argv.slice(2));
