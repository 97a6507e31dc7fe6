/** A server certificate for the loopback address and the CA that signed it, in PEM. The key of the CA is discarded. */
export interface ServingCertificates {
  readonly caPem: string
  readonly certificatePem: string
  readonly keyPem: string
}

const dayMs = 24 * 60 * 60 * 1000

/**
 * Creates both for one run. P-256 keys take about 50 ms, RSA keys a second. They are valid for ten years from yesterday, in case
 * a clock is set back.
 */
export async function createServingCertificates(): Promise<ServingCertificates> {
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
  const server = await generate([{ name: 'commonName', value: 'localhost' }], {
    ...common,
    ca: { key: authority.private, cert: authority.cert },
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
  return { caPem: authority.cert, certificatePem: server.cert, keyPem: server.private }
}
