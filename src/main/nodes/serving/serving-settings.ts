import { parseDuration } from '../../../shared/go/duration.ts'
import { objectAt, textAt } from '../../../shared/json.ts'
import type { JsonObject } from '../../../shared/json.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Result } from '../../../shared/result.ts'

/** What a KubeletConfiguration says about the kubelet's own server. Times in ms; paths are absolute. */
export interface ServingSettings {
  /** Undefined: the cluster's, from its ConfigMap. */
  readonly clientCaFile: string | undefined
  readonly isAnonymousAllowed: boolean
  readonly reviewsTokens: boolean
  readonly tokenTtlMs: number
  readonly authorization: 'Webhook' | 'AlwaysAllow'
  readonly authorizedTtlMs: number
  readonly unauthorizedTtlMs: number
  readonly certificate: ServingCertificateSettings
}

export type ServingCertificateSettings =
  | { readonly kind: 'self-signed' | 'signed' }
  | { readonly kind: 'files'; readonly certificate: string; readonly key: string }

/** From what /configz shows, which has all defaults. The error is one sentence. */
export function servingSettingsOf(configuration: JsonObject): Result<ServingSettings, string> {
  const authentication = objectAt(configuration, 'authentication')
  const authorization = objectAt(configuration, 'authorization')
  const webhook = objectAt(authentication, 'webhook')
  const mode = textAt(authorization, 'mode')
  if (mode !== 'Webhook' && mode !== 'AlwaysAllow')
    return err(
      `The kubelet configuration has the unknown authorization mode "${mode}": use Webhook or AlwaysAllow.`,
    )
  const certificate = certificateOf(configuration)
  if (!certificate.ok) return certificate
  const times = objectAt(authorization, 'webhook')
  const ms = (object: JsonObject, field: string): number =>
    parseDuration(textAt(object, field)) ?? 0
  return ok({
    clientCaFile: textAt(objectAt(authentication, 'x509'), 'clientCAFile') || undefined,
    isAnonymousAllowed: objectAt(authentication, 'anonymous')['enabled'] === true,
    reviewsTokens: webhook['enabled'] !== false,
    tokenTtlMs: ms(webhook, 'cacheTTL'),
    authorization: mode,
    authorizedTtlMs: ms(times, 'cacheAuthorizedTTL'),
    unauthorizedTtlMs: ms(times, 'cacheUnauthorizedTTL'),
    certificate: certificate.value,
  })
}

/** A signed certificate comes before files, as in a kubelet (cmd/kubelet/app: InitializeTLS; NewMainKubelet). */
function certificateOf(configuration: JsonObject): Result<ServingCertificateSettings, string> {
  const [certificate, key] = [
    textAt(configuration, 'tlsCertFile'),
    textAt(configuration, 'tlsPrivateKeyFile'),
  ]
  if (configuration['serverTLSBootstrap'] === true) return ok({ kind: 'signed' })
  if (certificate === '' && key === '') return ok({ kind: 'self-signed' })
  return certificate === '' || key === ''
    ? err(
        'The kubelet configuration has only one of tlsCertFile and tlsPrivateKeyFile: set both, or none.',
      )
    : ok({ kind: 'files', certificate, key })
}
