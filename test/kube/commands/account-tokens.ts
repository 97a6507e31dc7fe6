import { atRest, kept, kubectl, type Command, type CommandScenario } from './command.ts'

const invalidSince = 'kubernetes.io/legacy-token-invalid-since'

/** Creates the Secret; the controller gives it a token. */
function created(
  name: string,
  account: string,
  { labels = {}, ...more }: { readonly labels?: object; readonly stringData?: object } = {},
): Command {
  const annotations = { 'kubernetes.io/service-account.name': account }
  const stdin = JSON.stringify({
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'kubernetes.io/service-account-token',
    metadata: { name, annotations, labels },
    ...more,
  })
  return kubectl('create -f -', { stdin, prints: /^secret\/\S+ created$/m })
}

function filled(name: string): Command {
  return kubectl(`wait --for=jsonpath='{.data.token}' secret/${name}`, { prints: /condition met/ })
}

/** Who the token is, as a review says. */
function reviewed(token: string, prints: RegExp): Command {
  const review = {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: `<${token}>` },
  }
  const line = "create -f - -o jsonpath='{.status}'"
  return kubectl(line, { stdin: JSON.stringify(review), prints })
}

const tokenOf = (name: string): string =>
  `get secret ${name} --template='{{.data.token | base64decode}}'`

const hasOwnKeys = {
  lines: /^(token|ca\.crt):\s+\S/,
  why: 'the sandbox signs with an elliptic curve, and has a CA of its own',
}

/** Secrets to which kube-controller-manager gives a token of a service account. */
export const accountTokenCommands: readonly CommandScenario[] = [
  {
    title: 'a Secret gets the token of its service account',
    steps: [
      kubectl('create serviceaccount builder', { prints: /created/ }),
      created('builder-token', 'builder'),
      filled('builder-token'),
      kubectl('get secret builder-token', { prints: /service-account-token +3 / }),
      kubectl("get secret builder-token --template='{{.data.namespace | base64decode}}'", {
        prints: /^<ns>$/,
      }),
      kubectl('describe secret builder-token', {
        prints: /service-account\.uid: /,
        differs: [hasOwnKeys],
      }),
      kubectl('describe serviceaccount builder', { prints: /Tokens: +builder-token/ }),
      kept('builder', tokenOf('builder-token')),
      reviewed('builder', /system:serviceaccount:<ns>:builder/),
      kubectl('get secret builder-token --show-labels', { prints: /legacy-token-last-used=/ }),
      // Its data comes back, and its token is the same.
      kubectl(`patch secret builder-token -p '{"data":{"ca.crt":null,"namespace":null}}'`, {
        prints: /patched/,
      }),
      atRest,
      kubectl('get secret builder-token', { prints: /service-account-token +3 / }),
      reviewed('builder', /"authenticated":true/),
      created('marked', 'builder', { labels: { [invalidSince]: '2026-01-01' } }),
      created('renewed', 'builder'),
      created('removed', 'builder'),
      ...['marked', 'renewed', 'removed'].flatMap((name) => [
        filled(name),
        kept(name, tokenOf(name)),
      ]),
      // A token that was accepted is accepted for ten seconds more, so each of these is reviewed once.
      reviewed('marked', /has been marked invalid/),
      kubectl(`patch secret renewed -p '{"data":{"token":null}}'`, { prints: /patched/ }),
      filled('renewed'),
      reviewed('renewed', /does not match server.s copy/),
      kubectl('delete secret removed', { prints: /deleted/ }),
      reviewed('removed', /Token has been invalidated/),
    ],
  },
  {
    title: 'a Secret is deleted when its service account does not exist',
    steps: [
      created('lost', 'missing'),
      kubectl('wait --for=delete secret/lost'),
      kubectl('create serviceaccount leaving', { prints: /created/ }),
      created('first', 'leaving'),
      created('given', 'leaving', { stringData: { token: 'own', extra: 'x' } }),
      filled('first'),
      filled('given'),
      atRest,
      kubectl('get secret given', { prints: /service-account-token +4 / }),
      kubectl(tokenOf('given'), { prints: /^own$/ }),
      kept('first', tokenOf('first')),
      kubectl(`patch serviceaccount leaving -p '{"secrets":[{"name":"given"},{"name":"first"}]}'`, {
        prints: /patched/,
      }),
      kubectl('delete secret given', { prints: /deleted/ }),
      atRest,
      kubectl('get serviceaccount leaving --template={{.secrets}}', { prints: /first/ }),
      kubectl('delete serviceaccount leaving', { prints: /deleted/ }),
      kubectl('wait --for=delete secret/first'),
      reviewed('first', /Token has been invalidated/),
    ],
  },
]
