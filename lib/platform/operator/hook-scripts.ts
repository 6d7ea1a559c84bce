/** Input of `certificateScript`. */
interface CertificateScriptInput {
  readonly secret: string;
  readonly namespace: string;
  readonly service: string;
  readonly domain: string;
  /** Lifetime of both certificates in days. */
  readonly days: string;
}

/** Creates a CA and a serving certificate unless the Secret has a matching one that is valid for 30 more days; the key of the CA is discarded. */
export function certificateScript({ secret, namespace, service, domain, days }: CertificateScriptInput): string {
  return `set -euo pipefail
secret='${secret}' namespace='${namespace}' service='${service}' days='${days}'

# Only OpenSSL's default provider: images built for FIPS cannot make keys otherwise.
printf '%s\\n' 'openssl_conf = init' '[init]' 'providers = list' '[list]' 'default = on' '[on]' 'activate = 1' > "$OPENSSL_CONF"

work="$(mktemp -d)"
cd "$work"
if kubectl get secret "$secret" -n "$namespace" -o jsonpath='{.data.tls\\.crt}' 2>/dev/null | base64 -d > old.crt \\
  && openssl x509 -in old.crt -noout -checkend 2592000 >/dev/null 2>&1 \\
  && openssl x509 -in old.crt -noout -text | grep -F -A1 'Subject Alternative Name' | grep -qF "$service.$namespace.svc"; then
  echo "certificate in secret $secret is valid for 30 more days, nothing to do"
  exit 0
fi

openssl req -x509 -newkey rsa:4096 -nodes -sha256 -days "$days" -keyout ca.key -out ca.crt -subj '/CN=Dynamo Webhook CA/O=NVIDIA' \\
  -addext 'basicConstraints=critical,CA:TRUE' -addext 'keyUsage=critical,digitalSignature,keyCertSign,cRLSign' -addext 'subjectKeyIdentifier=hash'
openssl req -newkey rsa:4096 -nodes -sha256 -keyout tls.key -out tls.csr -subj "/CN=$service/O=NVIDIA"
printf '%s\\n' 'basicConstraints=CA:FALSE' 'keyUsage=critical,digitalSignature,keyEncipherment' 'extendedKeyUsage=serverAuth' \\
  "subjectAltName=DNS:$service,DNS:$service.$namespace,DNS:$service.$namespace.svc,DNS:$service.$namespace.svc.${domain}" > leaf.ext
openssl x509 -req -in tls.csr -CA ca.crt -CAkey ca.key -CAcreateserial -sha256 -days "$days" -extfile leaf.ext -out tls.crt

kubectl create secret generic "$secret" -n "$namespace" --from-file=tls.crt --from-file=tls.key --from-file=ca.crt --dry-run=client -o yaml | kubectl apply -f -
rm -rf "\${work:?}"
echo "certificate written to secret $secret"
`;
}

/** Input of `caInjectScript`. */
interface CaInjectScriptInput {
  readonly secret: string;
  readonly namespace: string;
  readonly configuration: string;
}

/** Waits for the certificate Secret and writes its CA into the four webhooks. */
export function caInjectScript({ secret, namespace, configuration }: CaInjectScriptInput): string {
  return `set -euo pipefail
bundle=''
for attempt in $(seq 1 60); do
  if bundle="$(kubectl get secret '${secret}' -n '${namespace}' -o jsonpath='{.data.ca\\.crt}' 2>/dev/null)"; then break; fi
  if [ "$attempt" -eq 60 ]; then echo 'secret ${secret} did not appear within 5 minutes' >&2; exit 1; fi
  sleep 5
done
if [ -z "$bundle" ]; then echo 'secret ${secret} has no ca.crt' >&2; exit 1; fi
patch=''
for index in 0 1 2 3; do
  patch="$patch\${patch:+,}{\\"op\\":\\"add\\",\\"path\\":\\"/webhooks/$index/clientConfig/caBundle\\",\\"value\\":\\"$bundle\\"}"
done
kubectl patch validatingwebhookconfiguration '${configuration}' --type=json -p "[$patch]"
`;
}

/** Creates an SSH key pair without a passphrase in the shared volume; byte for byte the command of the recorded chart. */
export const keygenScript = `echo "Generating SSH key pair with ssh-keygen..."
ssh-keygen -t rsa -b 2048 -f /shared/private.key -N ""
echo "SSH keys generated and saved to shared volume"
`;

/** Stores the key pair as a Secret unless the Secret exists. */
export const keySecretScript = `if kubectl get secret "$SECRET_NAME" -n "$NAMESPACE" >/dev/null 2>&1; then
  echo "secret $SECRET_NAME exists, nothing to do"
  exit 0
fi
kubectl create secret generic "$SECRET_NAME" -n "$NAMESPACE" --from-file=private.key=/shared/private.key --from-file=private.key.pub=/shared/private.key.pub
`;
