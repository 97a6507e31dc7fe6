import { join } from 'node:path'
import { assertNever } from '../../../shared/assert-never.ts'
import { err, ok } from '../../../shared/result.ts'
import type { Transport } from '../../../shared/kubernetes/request.ts'
import type { Clock } from '../../kubelet/ports.ts'
import { selfSignedCertificate } from './certificate-generation.ts'
import type { Check } from './repeated-check.ts'
import {
  certificateOfFiles,
  keepCertificate,
  keptCertificate,
  renewalTime,
} from './serving-certificate.ts'
import type { ServedNode, ServingCertificate } from './serving-certificate.ts'
import type { ServingCertificateSettings } from './serving-settings.ts'
import { CertificateSigning } from './signed-certificate.ts'

export interface CertificateChecksDeps {
  readonly settings: ServingCertificateSettings
  readonly node: ServedNode
  readonly dataFolder: string
  readonly transport: Transport
  readonly clock: Pick<Clock, 'now'>
  /** Called with each certificate that is to be used from now on. */
  readonly use: (certificate: ServingCertificate) => void
  readonly say: (sentence: string) => void
}

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Between two looks at a request that waits for its approval. */
const signingMs = 2000

/** Finds and renews the serving certificate. The first look may give none. */
export function certificateCheck(deps: CertificateChecksDeps): Check {
  const { settings } = deps
  switch (settings.kind) {
    case 'self-signed':
      return selfSignedCheck(deps)
    case 'signed':
      return signedCheck(deps)
    case 'files':
      return filesCheck(deps, settings.certificate, settings.key)
    default:
      return assertNever(settings, 'kind of serving certificate')
  }
}

function fileIn({ dataFolder, settings }: CertificateChecksDeps): string {
  return join(dataFolder, 'pki', `kubelet-server-${settings.kind}.pem`)
}

/** One that need not be renewed yet. */
function isCurrent(certificate: ServingCertificate, { clock }: CertificateChecksDeps): boolean {
  return renewalTime(certificate) > clock.now()
}

function selfSignedCheck(deps: CertificateChecksDeps): Check {
  const { node, clock, use, say } = deps
  let current: ServingCertificate | undefined
  return async () => {
    if (current === undefined) {
      const kept = await keptCertificate(fileIn(deps), node)
      if (!kept.ok) say(kept.error)
      current = kept.ok ? kept.value : undefined
      if (current !== undefined && isCurrent(current, deps)) use(current)
    }
    if (current === undefined || !isCurrent(current, deps)) {
      current = await selfSignedCertificate(node, clock.now())
      use(current)
      const kept = await keepCertificate(fileIn(deps), current)
      if (!kept.ok) say(kept.error)
    }
    return ok(hourMs)
  }
}

function signedCheck(deps: CertificateChecksDeps): Check {
  const { node, transport, use, say } = deps
  const signing = new CertificateSigning({ transport, node })
  let current: ServingCertificate | undefined
  let hasLooked = false
  let announced = ''
  return async () => {
    if (!hasLooked) {
      hasLooked = true
      const kept = await keptCertificate(fileIn(deps), node)
      if (!kept.ok) say(kept.error)
      current = kept.ok ? kept.value : undefined
      if (current !== undefined) use(current)
    }
    if (current !== undefined && isCurrent(current, deps)) return ok(minuteMs)
    const state = await signing.look()
    if (!state.ok) return state
    switch (state.value.kind) {
      case 'waiting': {
        const { name } = state.value
        if (name !== announced) say(waitsFor(name))
        announced = name
        return ok(signingMs)
      }
      case 'refused':
        say(
          `The request ${state.value.name} for the serving certificate of the kubelet’s server was refused (${state.value.reason}): it asks again in an hour.`,
        )
        return ok(hourMs)
      case 'signed': {
        current = state.value.certificate
        use(current)
        const kept = await keepCertificate(fileIn(deps), current)
        return kept.ok ? ok(minuteMs) : kept
      }
      default:
        return assertNever(state.value, 'state of a request')
    }
  }
}

function waitsFor(name: string): string {
  return `The kubelet’s server waits for its serving certificate: approve it with kubectl certificate approve ${name}.`
}

function filesCheck(deps: CertificateChecksDeps, certificate: string, key: string): Check {
  let used = ''
  return async () => {
    const read = await certificateOfFiles(certificate, key)
    if (!read.ok) return err(read.error)
    if (read.value.certificatePem !== used) deps.use(read.value)
    used = read.value.certificatePem
    return ok(minuteMs)
  }
}
