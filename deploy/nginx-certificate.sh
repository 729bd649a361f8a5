#!/bin/sh
# For nginx in a container: TLS from the moment there is a certificate, until then port 80 only. nginx's image runs it
# before nginx starts; it goes on in the background, and reloads nginx when there is a certificate or another one.
set -eu
from=/etc/nginx/menagerie
to=/etc/nginx/conf.d

watch() {
    while sleep "${WATCH_SECONDS:-60}"; do
        now=$(mark)
        [ "$now" = "$known" ] || { known=$now && lay && nginx -s reload; } || true
    done
}

mark() { cat "$certificate" 2>/dev/null | cksum; }

lay() {
    if [ -e "$certificate" ]; then
        cp "$from/nginx.conf" "$to/menagerie.conf"
    else
        rm -f "$to/menagerie.conf"
        echo "There is no certificate at $certificate yet: only port 80 is served."
    fi
}

rm -f "$to/default.conf"
cp "$from/nginx-http.conf" "$to/menagerie-http.conf"
certificate=$(sed -n 's/^ *ssl_certificate  *\([^;]*\);.*/\1/p' "$from/nginx.conf")
known=$(mark)
lay
[ "${WATCH_SECONDS:-60}" = 0 ] || watch &
