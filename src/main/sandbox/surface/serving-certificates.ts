import type { Caller } from '../auth/caller.ts'

/** In PEM. */
export interface KeyedCertificate {
  readonly certificatePem: string
  readonly keyPem: string
}

/**
 * A server certificate for the loopback address, the CA that signed it, and the client certificates that were asked for, in their
 * order. The key of the CA stays in memory.
 */
export interface ServingCertificates extends KeyedCertificate {
  readonly caPem: string
  readonly caKeyPem: string
  readonly clients: readonly KeyedCertificate[]
}

/** The subject of a client certificate: the user is its common name, the groups are its organizations. */
export type CertificateSubject = Pick<Caller, 'user' | 'groups'>

const dayMs = 24 * 60 * 60 * 1000

/**
 * Creates them for one run. P-256 keys take about 50 ms, RSA keys a second. They are valid for ten years from yesterday, in case
 * a clock is set back.
 */
export async function createServingCertificates(
  subjects: readonly CertificateSubject[] = [],
): Promise<ServingCertificates> {
  // Imported on demand: it takes about 150 ms.
  const { generate } = await import('selfsigned')
  const common = {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - dayMs),
    notAfterDate: new Date(Date.now() + 3650 * dayMs),
  } as const
  const authority = await generate([{ name: 'commonName', value: 'Nodescope sandbox' }], {
    ...common,
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  })
  const ca = { key: authority.private, cert: authority.cert }
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
    caPem: authority.cert,
    caKeyPem: authority.private,
    certificatePem: server.cert,
    keyPem: server.private,
    clients: await Promise.all(subjects.map(forClient)),
  }
}
