import { isJsonObject, listAt, textAt } from '../../../shared/json.ts'
import type { KubeObject, Secret } from '../../../shared/kubernetes/objects.ts'
import { ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'
import type { TraceCauses } from '../../../shared/model/trace-event.ts'
import { addressOf } from '../../cluster/client/resource-paths.ts'
import type { ApiError } from '../../kubelet/ports.ts'
import type { TokenIssuer } from '../auth/token-issuer.ts'
import { rootCa } from '../registry/root-ca.ts'
import {
  accountAnnotation,
  accountTokenType,
  accountUidAnnotation,
} from '../registry/secret-strategy.ts'
import { Controller } from './controller.ts'
import type { ControllerContext } from './controller.ts'

export type TokenSigner = Pick<TokenIssuer, 'signForSecret'>

/** An account or a Secret that changed. The uid of an account is empty if the Secret names none. */
interface Changed {
  readonly namespace: string
  readonly account: string
  readonly accountUid: string
  /** Absent: the account itself. */
  readonly secret?: { readonly name: string; readonly uid: string }
}

const encoded = (text: string): string => Buffer.from(text).toString('base64')
const certificate = encoded(rootCa.data['ca.crt'])

function accountOf({ metadata: { namespace = '', annotations = {} } }: Secret): Changed {
  const account = annotations[accountAnnotation] ?? ''
  return { namespace, account, accountUid: annotations[accountUidAnnotation] ?? '' }
}

/** What a Secret lacks of the data that it has to have. */
function missingData(
  { metadata, data = {} }: Secret,
  token: () => string,
): Readonly<Record<string, string>> {
  return {
    ...(data['ca.crt'] === certificate ? {} : { 'ca.crt': certificate }),
    ...(data['namespace'] ? {} : { namespace: encoded(metadata.namespace ?? '') }),
    ...(data['token'] ? {} : { token: encoded(token()) }),
  }
}

/**
 * Gives the Secrets of service accounts their tokens, and deletes those whose account does not exist. Source:
 * pkg/controller/serviceaccount/tokens_controller.go (v1.34).
 */
export class TokensController extends Controller {
  readonly #signer: TokenSigner

  constructor(context: ControllerContext, signer: TokenSigner) {
    super(context)
    this.#signer = signer
    const add = (changed: Changed, causes: TraceCauses): void => {
      this.queue.add(JSON.stringify(changed), causes)
    }
    const onAccount = ({ metadata }: KubeObject, causes: TraceCauses): void => {
      const { namespace = '', name, uid } = metadata
      add({ namespace, account: name, accountUid: uid }, causes)
    }
    // Of accounts that exist there is nothing to do.
    context.accounts.addEventHandler({ onDelete: onAccount })
    const onSecret = (secret: Secret, causes: TraceCauses): void => {
      const { name, uid } = secret.metadata
      if (secret.type === accountTokenType)
        add({ ...accountOf(secret), secret: { name, uid } }, causes)
    }
    context.secrets.addEventHandler({ onAdd: onSecret, onUpdate: onSecret, onDelete: onSecret })
  }

  protected async sync(key: string, causes: TraceCauses): Promise<void> {
    const changed = JSON.parse(key) as Changed
    const isSynced =
      changed.secret === undefined
        ? await this.#deleteTokensOf(changed, causes)
        : await this.#syncSecret(changed, changed.secret, causes)
    if (isSynced) this.queue.forget(key)
    else this.queue.addRateLimited(key, causes)
  }

  async #deleteTokensOf(gone: Changed, causes: TraceCauses): Promise<boolean> {
    if (this.#cachedAccount(gone) !== undefined) return true
    const tokens = this.context.secrets.list().filter((secret) => {
      const { namespace, account, accountUid } = accountOf(secret)
      return (
        secret.type === accountTokenType &&
        namespace === gone.namespace &&
        account === gone.account &&
        (accountUid === '' || accountUid === gone.accountUid)
      )
    })
    const deleted: boolean[] = []
    for (const secret of tokens) deleted.push(await this.#delete(secret, causes))
    return deleted.every(Boolean)
  }

  async #syncSecret(
    changed: Changed,
    { name, uid }: NonNullable<Changed['secret']>,
    causes: TraceCauses,
  ): Promise<boolean> {
    const cached = this.context.secrets.get(changed.namespace, name)
    if (cached?.metadata.uid !== uid) return await this.#removeReference(changed, name, causes)
    const found = this.#cachedAccount(changed)
    if (found !== undefined) return await this.#fill(found, cached, causes)
    const live = await this.#liveAccount(changed, causes)
    if (!live.ok) return false
    return live.value === undefined
      ? await this.#delete(cached, causes)
      : await this.#fill(live.value, cached, causes)
  }

  async #fill(account: KubeObject, cached: Secret, causes: TraceCauses): Promise<boolean> {
    const { client } = this.context
    const { namespace = '', name, resourceVersion } = cached.metadata
    if (Object.keys(missingData(cached, () => 'one')).length === 0) return true
    const live = await client.get({ resource: 'secrets', namespace, name }, causes)
    if (!live.ok) return isNoMatter(live.error)
    const secret = live.value
    // The newer version is about to be heard of.
    if (secret.metadata.resourceVersion !== resourceVersion) return true
    const { name: accountName, uid } = account.metadata
    const token = (): string =>
      this.#signer.signForSecret({ namespace, secret: name, account: { name: accountName, uid } })
    const annotations = {
      ...secret.metadata.annotations,
      [accountAnnotation]: accountName,
      [accountUidAnnotation]: uid,
    }
    const next = {
      ...secret,
      metadata: { ...secret.metadata, annotations },
      data: { ...secret.data, ...missingData(secret, token) },
    }
    return isDone(await client.update(addressOf('secrets', secret), next, causes))
  }

  /** Takes the name of a Secret that is gone from the list of its account. */
  async #removeReference(changed: Changed, name: string, causes: TraceCauses): Promise<boolean> {
    if (this.#cachedAccount(changed) === undefined) return true
    const live = await this.#liveAccount(changed, causes)
    if (!live.ok) return false
    const account = live.value
    const references = account === undefined ? [] : listAt(account, 'secrets')
    const left = references.filter((one) => !isJsonObject(one) || textAt(one, 'name') !== name)
    if (account === undefined || left.length === references.length) return true
    const address = addressOf('serviceaccounts', account)
    const written = await this.context.client.update(address, { ...account, secrets: left }, causes)
    return written.ok || written.error.code === 404
  }

  async #delete(secret: Secret, causes: TraceCauses): Promise<boolean> {
    const preconditions = { uid: secret.metadata.uid }
    const { client } = this.context
    return isDone(await client.delete(addressOf('secrets', secret), { preconditions }, causes))
  }

  #cachedAccount(changed: Changed): KubeObject | undefined {
    return withUid(this.context.accounts.get(changed.namespace, changed.account), changed)
  }

  async #liveAccount(
    changed: Changed,
    causes: TraceCauses,
  ): Promise<Result<KubeObject | undefined, ApiError>> {
    const { namespace, account: name } = changed
    const { client } = this.context
    const live = await client.get({ resource: 'serviceaccounts', namespace, name }, causes)
    if (live.ok) return ok(withUid(live.value, changed))
    return live.error.code === 404 ? ok(undefined) : live
  }
}

function withUid(account: KubeObject | undefined, { accountUid }: Changed): KubeObject | undefined {
  return accountUid === '' || account?.metadata.uid === accountUid ? account : undefined
}

/** It is gone, or another write is about to be heard of. */
function isNoMatter({ code }: ApiError): boolean {
  return code === 404 || code === 409
}

function isDone(written: Result<unknown, ApiError>): boolean {
  return written.ok || isNoMatter(written.error)
}
