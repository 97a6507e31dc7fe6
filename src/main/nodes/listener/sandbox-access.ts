import { randomBytes } from 'node:crypto'
import type { Caller } from '../../sandbox/auth/caller.ts'
import { createServingCertificates } from '../../sandbox/surface/serving-certificates.ts'
import type {
  KeyedCertificate,
  ServingCertificates,
} from '../../sandbox/surface/serving-certificates.ts'
import { sandboxAdmin } from '../sandbox.ts'

/** By what a client and the servers of a sandbox know each other; new with every start, except for the CA of a kept sandbox. */
export interface SandboxAccess {
  /** The administrator's bearer token. */
  readonly token: string
  /** The administrator's client certificate. */
  readonly clientCertificate: KeyedCertificate | undefined
  readonly credentials: ReadonlyMap<string, Caller>
  /** Of the API server and of the kubelets. */
  readonly certificates: ServingCertificates
}

export async function createSandboxAccess(authority?: KeyedCertificate): Promise<SandboxAccess> {
  const token = randomBytes(24).toString('base64url')
  const credentials = new Map([[token, { ...sandboxAdmin, client: 'kubectl' as const }]])
  // Its caller is authenticated by it: the certificate does not say so.
  const groups = sandboxAdmin.groups.filter((group) => group !== 'system:authenticated')
  const certificates = await createServingCertificates([{ ...sandboxAdmin, groups }], authority)
  return { token, clientCertificate: certificates.clients[0], credentials, certificates }
}
