#!/bin/sh
# For nginx in a container: TLS from the moment there is a certificate, until then port 80 only. nginx's image runs it
# before nginx starts; certbot's hook runs it again (docs/deployment.md).
set -eu
from=/etc/nginx/menagerie
to=/etc/nginx/conf.d
rm -f "$to/default.conf"
cp "$from/nginx-http.conf" "$to/menagerie-http.conf"
certificate=$(sed -n 's/^ *ssl_certificate  *\([^;]*\);.*/\1/p' "$from/nginx.conf")
if [ -e "$certificate" ]; then
    cp "$from/nginx.conf" "$to/menagerie.conf"
else
    rm -f "$to/menagerie.conf"
    echo "There is no certificate at $certificate yet: only port 80 is served."
fi
