#!/bin/sh
# Assembles the root file system of the operator's image: image-files.sh MANAGER FOLDER
# Used by the Dockerfile and by the test of the image.
set -eu
manager=$1
root=$2
node=$(readlink -f "$(command -v node)")

mkdir -p "$root/nodejs/bin" "$root/etc/ssl/certs" "$root/home/nonroot" "$root/tmp"
chmod 1777 "$root/tmp"
chmod 777 "$root/home/nonroot"

# The image has no /usr/bin/env, so the first line names the path of Node.
{
  echo '#!/nodejs/bin/node'
  tail -n +2 "$manager"
} >"$root/manager"
chmod 755 "$root/manager"

cp "$node" "$root/nodejs/bin/node"
# Copy each shared library to the path where the loader looks for it.
ldd "$node" | sed -n -e 's|.*=> \(/[^ ]*\) .*|\1|p' -e 's|^[[:space:]]*\(/[^ ]*\) (.*|\1|p' | while read -r library; do
  mkdir -p "$root$(dirname "$library")"
  cp -L "$library" "$root$library"
done

echo 'nonroot:x:65532:65532:nonroot:/home/nonroot:/nologin' >"$root/etc/passwd"
echo 'nonroot:x:65532:' >"$root/etc/group"
echo 'hosts: files dns' >"$root/etc/nsswitch.conf"
for certificates in /etc/ssl/certs/ca-certificates.crt; do
  if [ -f "$certificates" ]; then cp -L "$certificates" "$root$certificates"; fi
done
