type Environment = Readonly<Record<string, string | undefined>>

/** For finding programs and their files, reaching the network, and opening a browser for a login. */
const unixNames =
  'PATH HOME USER LOGNAME SHELL LANG LANGUAGE TZ TERM ' +
  'TMPDIR HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR CURL_CA_BUNDLE REQUESTS_CA_BUNDLE ' +
  'NODE_EXTRA_CA_CERTS KUBECONFIG KUBECACHEDIR BROWSER DISPLAY WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS SSH_AUTH_SOCK KRB5CCNAME ' +
  'KRB5_CONFIG NIX_SSL_CERT_FILE GNUPGHOME GPG_TTY PASSWORD_STORE_DIR PYTHONPATH PYTHONHOME VIRTUAL_ENV ' +
  'CLOUD_SHELL DEVSHELL_CLIENT_PORT MSI_ENDPOINT MSI_SECRET IMDS_ENDPOINT IDENTITY_ENDPOINT IDENTITY_HEADER ' +
  'IDENTITY_SERVER_THUMBPRINT ACTIONS_ID_TOKEN_REQUEST_URL ACTIONS_ID_TOKEN_REQUEST_TOKEN SYSTEM_OIDCREQUESTURI ' +
  'SYSTEM_ACCESSTOKEN USE_GKE_GCLOUD_AUTH_PLUGIN'
const windowsNames =
  'APPDATA LOCALAPPDATA PROGRAMDATA PROGRAMFILES PROGRAMFILES(X86) USERPROFILE USERNAME HOMEDRIVE HOMEPATH ' +
  'SYSTEMROOT SYSTEMDRIVE WINDIR COMSPEC PATHEXT TEMP TMP'
const names: ReadonlySet<string> = new Set(`${unixNames} ${windowsNames}`.split(' '))

/** Of the clouds and login services whose plugins kubeconfigs name, and of version managers. */
const prefixes: readonly string[] = (
  'AWS_ AZURE_ AAD_ ARM_ GOOGLE_ CLOUDSDK_ GCE_ OCI_ IBMCLOUD_ ' +
  'ALIBABA_ ALIBABACLOUD_ ALICLOUD_ TENCENTCLOUD_ YC_ OVH_ CIVO_ DIGITALOCEAN_ LINODE_ HCLOUD_ OS_ SCW_ EXOSCALE_ VULTR_ RANCHER_ ' +
  'KUBELOGIN_ OIDC_ OKTA_ TELEPORT_ TSH_ VAULT_ SAML2AWS_ GRANTED_ PINNIPED_ ' +
  'PYENV_ ASDF_ MISE_ XDG_ LC_'
).split(' ')

/**
 * The part of the environment that a credential plugin gets: what such programs are known to need, so that secrets of other
 * programs do not reach it. client-go passes all of it (plugin/pkg/client/auth/exec). Set other variables in `exec.env`.
 */
export function pluginEnvironment(environment: Environment): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(environment).filter((entry): entry is [string, string] => {
      const name = entry[0].toUpperCase()
      const isGiven = names.has(name) || prefixes.some((prefix) => name.startsWith(prefix))
      return isGiven && entry[1] !== undefined
    }),
  )
}
