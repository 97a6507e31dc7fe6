import type { Caller } from '../auth/caller.ts'
import { newSigningKey } from '../certificates/signing-key.ts'

/** In PEM. */
export interface KeyedCertificate {
  readonly certificatePem: string
  readonly keyPem: string
}

/** What an API server signs with. */
export interface ServerKeys {
  /** Of certificates of servers and clients. */
  readonly authority: KeyedCertificate
  /** Of tokens of service accounts, in PEM. */
  readonly tokenKeyPem: string
}

/**
 * A server certificate for the loopback address, the CA that signed it, and the client certificates that were asked for, in their
 * order.
 */
export interface ServingCertificates extends KeyedCertificate {
  readonly caPem: string
  readonly caKeyPem: string
  readonly clients: readonly KeyedCertificate[]
}

/** The subject of a client certificate: the user is its common name, the groups are its organizations. */
export type CertificateSubject = Pick<Caller, 'user' | 'groups'>

const dayMs = 24 * 60 * 60 * 1000

/** P-256 keys take about 50 ms, RSA keys a second. Valid for ten years from yesterday, in case a clock is set back. */
function commonOptions() {
  return {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - dayMs),
    notAfterDate: new Date(Date.now() + 3650 * dayMs),
  } as const
}

async function createAuthority(): Promise<KeyedCertificate> {
  // Imported on demand: it takes about 150 ms.
  const { generate } = await import('selfsigned')
  const made = await generate([{ name: 'commonName', value: 'Nodescope sandbox' }], {
    ...commonOptions(),
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  return { certificatePem: made.cert.trim(), keyPem: made.private.trim() }
}

export async function newServerKeys(): Promise<ServerKeys> {
  return { authority: await createAuthority(), tokenKeyPem: newSigningKey() }
}

/** Creates them for one run. `given`: the CA; default: a new one. */
export async function createServingCertificates(
  subjects: readonly CertificateSubject[] = [],
  given?: KeyedCertificate,
): Promise<ServingCertificates> {
  const { generate } = await import('selfsigned')
  const common = commonOptions()
  const authority = given ?? (await createAuthority())
  const ca = { key: authority.keyPem, cert: authority.certificatePem }
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...common,
    ca,
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
        ],
      },
    ],
  })
  const forClient = async ({ user, groups }: CertificateSubject): Promise<KeyedCertificate> => {
    const organizations = groups.map((value) => ({ name: 'organizationName', value }))
    const made = await generate([...organizations, { name: 'commonName', value: user }], {
      ...common,
      ca,
      extensions: [
        { name: 'keyUsage', digitalSignature: true, critical: true },
        { name: 'extKeyUsage', clientAuth: true },
      ],
    })
    return { certificatePem: made.cert, keyPem: made.private }
  }
  return {
    caPem: authority.certificatePem,
    caKeyPem: authority.keyPem,
    certificatePem: server.cert,
    keyPem: server.private,
    clients: await Promise.all(subjects.map(forClient)),
  }
}
