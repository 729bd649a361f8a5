#!/bin/sh
# For certbot in a container: the first certificate as soon as nginx answers on port 80, and then its renewals.
# nginx notices both by itself (nginx-certificate.sh). SITE_HOST: the name of the site; CERTIFICATE_EMAIL: who is told
# before a certificate ends.
set -u
: "${SITE_HOST:?}" "${CERTIFICATE_EMAIL:?}" "${RETRY_SECONDS:=60}" "${RENEW_SECONDS:=43200}"
trap 'exit 0' TERM INT

pause() {
    sleep "$1" &
    wait $!
}

until [ -e "/etc/letsencrypt/live/$SITE_HOST/fullchain.pem" ]; do
    certbot certonly --non-interactive --agree-tos --email "$CERTIFICATE_EMAIL" --webroot -w /var/www/html -d "$SITE_HOST" ||
        { echo "There is no certificate for $SITE_HOST yet; asking again in $RETRY_SECONDS s." && pause "$RETRY_SECONDS"; }
done
while :; do
    certbot renew --quiet
    pause "$RENEW_SECONDS"
done
