import { listAt, objectAt, textAt, isJsonObject } from '../../../shared/json.ts'
import type { KubeObject } from '../../../shared/kubernetes/objects.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { notFound } from '../api-status.ts'
import type { ObjectStore } from '../object-store.ts'
import { typeOfKind } from '../registry/resource-types.ts'
import { authenticatedGroup, serviceAccountGroups } from './caller.ts'
import type { Caller } from './caller.ts'
import type { SecretTokenPlace } from './token-issuer.ts'

export interface SecretTokensDeps {
  readonly store: ObjectStore
  readonly clock: Clock
  /** Writes labels of a Secret, by a merge patch. */
  readonly labelSecret: (secret: KubeObject, labels: Readonly<Record<string, string>>) => void
}

const invalidated = 'Token has been invalidated'
const invalidSinceLabel = 'kubernetes.io/legacy-token-invalid-since'
const lastUsedLabel = 'kubernetes.io/legacy-token-last-used'
const dayMs = 24 * 60 * 60 * 1000
const isListed =
  'Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.'

function markedInvalid(namespace: string, secret: string, account: string): string {
  return `the token in secret ${namespace}/${secret} for service account ${namespace}/${account} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`
}

/** Tokens that are kept in Secrets: they count while the Secret has them. Source: pkg/serviceaccount/legacy.go (v1.34). */
export class SecretTokens {
  readonly #deps: SecretTokensDeps

  constructor(deps: SecretTokensDeps) {
    this.#deps = deps
  }

  /** Error: why the token does not count. */
  callerOf(place: SecretTokenPlace, token: string): Result<Caller, string> {
    const { namespace, account: claimed } = place
    const secret = this.#find('Secret', namespace, place.secret)
    if (secret === undefined || secret.metadata.deletionTimestamp !== undefined)
      return err(invalidated)
    const kept = Buffer.from(textAt(objectAt(secret, 'data'), 'token'), 'base64').toString()
    if (kept !== token) return err("Token does not match server's copy")
    const account = this.#find('ServiceAccount', namespace, claimed.name)
    if (account === undefined)
      return err(notFound(typeOfKind('ServiceAccount'), claimed.name).message ?? '')
    const { uid, deletionTimestamp } = account.metadata
    if (deletionTimestamp !== undefined)
      return err(`ServiceAccount ${namespace}/${claimed.name} has been deleted`)
    if (uid !== claimed.uid)
      return err(`ServiceAccount UID (${uid}) does not match claim (${claimed.uid})`)
    const isInvalid = Boolean(secret.metadata.labels?.[invalidSinceLabel])
    this.#noteUse(secret)
    if (isInvalid) return err(markedInvalid(namespace, place.secret, claimed.name))
    const isReferred = listAt(account, 'secrets').some(
      (one) => isJsonObject(one) && textAt(one, 'name') === place.secret,
    )
    return ok({
      user: `system:serviceaccount:${namespace}:${claimed.name}`,
      groups: [...serviceAccountGroups(namespace), authenticatedGroup],
      client: '',
      uid: claimed.uid,
      ...(isReferred ? { warnings: [isListed] } : {}),
    })
  }

  /** Once a day; a clock that is ahead of ours by less counts too. */
  #noteUse(secret: KubeObject): void {
    const now = this.#deps.clock.now()
    const [today = '', tomorrow = ''] = [now, now + dayMs].map((at) =>
      new Date(at).toISOString().slice(0, 10),
    )
    const lastUsed = secret.metadata.labels?.[lastUsedLabel]
    if (lastUsed !== today && lastUsed !== tomorrow)
      this.#deps.labelSecret(secret, { [lastUsedLabel]: today })
  }

  #find(kind: string, namespace: string, name: string): KubeObject | undefined {
    return this.#deps.store.of(typeOfKind(kind)).get({ namespace, name })
  }
}
