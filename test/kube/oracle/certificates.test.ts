import fc from 'fast-check'
import {
  CertificateAuthority,
  knownUsages,
} from '../../../src/main/sandbox/certificates/certificate-authority.ts'
import { parseCertificateRequest } from '../../../src/main/sandbox/certificates/certificate-request.ts'
import { contextTag, der } from '../../../src/main/sandbox/certificates/der.ts'
import { requestPem } from '../../../src/main/sandbox/certificates/fake-certificate-request.ts'
import {
  kubeletClientProblem,
  signingProblem,
} from '../../../src/main/sandbox/certificates/signer-rules.ts'
import { createServingCertificates } from '../../../src/main/sandbox/surface/serving-certificates.ts'
import { isJsonObject, objectAt } from '../../../src/shared/json.ts'
import { describeOracle, functionComparisons } from './oracle-suite.ts'
import { Refusal } from './oracle.ts'

// Requests for certificates: what is read of them, what the signers of kubelets object to, and the certificates themselves.

const counts: string[] = []

const { caPem, caKeyPem } = await createServingCertificates()
const authorityEnd = Date.now() + 3649 * 24 * 3600 * 1000

const text = (number: number, value: string): Buffer =>
  der(contextTag(number, 'primitive'), Buffer.from(value))
const bytes = (...values: readonly number[]): Buffer =>
  der(contextTag(7, 'primitive'), Buffer.from(values))

const names = fc.array(
  fc.constantFrom(
    text(2, 'n1'),
    text(2, 'a.example'),
    bytes(10, 0, 0, 7),
    bytes(...Array.from({ length: 16 }, (_, index) => index)),
    text(1, 'a@b.example'),
    text(6, 'https://a.example/x'),
  ),
  { maxLength: 3 },
)

/** Another name than the one that was signed. */
function renamed(info: Buffer): Buffer {
  const changed = Buffer.from(info)
  const at = changed.indexOf('system:')
  if (at >= 0) changed.write('System:', at)
  return changed
}

const subjects = fc.record({
  kind: fc.constantFrom(
    ...(['ec', 'ec', 'ec', 'rsa', 'rsa', 'ed25519', 'shortRsa', 'md5', 'otherCurve'] as const),
  ),
  organization: fc.constantFrom('system:nodes', 'system:nodes', 'dev', 'system:masters', 'é'),
  commonName: fc.constantFrom(
    'system:node:n1',
    'system:node:n1',
    'system:node:',
    'jane',
    'a_b',
    '',
  ),
  more: fc.array(
    fc.tuple(
      fc.constantFrom('2.5.4.6', '2.5.4.10', '2.5.4.11', '2.5.4.3', '2.5.4.5', '1.2.3.4'),
      fc.constantFrom('DE', 'system:nodes', 'a*', 'b'),
    ),
    { maxLength: 2 },
  ),
  names,
})

const usages = fc.oneof(
  fc.constantFrom(
    ['digital signature', 'server auth'],
    ['digital signature', 'client auth', 'key encipherment'],
    ['client auth'],
  ),
  fc.uniqueArray(fc.constantFrom(...knownUsages), { minLength: 1, maxLength: 5 }),
)

const requests = fc
  .record({
    subject: subjects,
    isDamaged: fc.integer({ min: 0, max: 9 }).map((one) => one === 0),
    named: fc.oneof(
      { weight: 8, arbitrary: fc.constant(undefined) },
      { weight: 1, arbitrary: fc.constantFrom('ec', 'rsa', 'ed25519' as const) },
    ),
    usages,
  })
  .map(({ subject, isDamaged, named, usages: used }) => ({
    request: requestPem({
      ...subject,
      ...(isDamaged ? { damage: renamed } : {}),
      ...(named === undefined ? {} : { named }),
    }),
    usages: used,
  }))

const year = 365 * 24 * 3600

const signed = fc
  .record({
    asked: requests,
    expirationSeconds: fc.option(fc.constantFrom(600, 3600, 28_799, 28_800, year, 2 * year), {
      nil: undefined,
    }),
    now: fc.oneof(
      fc.integer({ min: 0, max: 3600 * 24 * 365 * 1000 }).map((ahead) => Date.now() + ahead),
      // The CA ends before the certificate.
      fc.constant(authorityEnd - 1000),
    ),
  })
  .map(({ asked: { request, usages: used }, expirationSeconds, now }) => {
    const read = parseCertificateRequest(request)
    const authority = new CertificateAuthority({ certificatePem: caPem, keyPem: caKeyPem }, now)
    const certificate = read.ok
      ? authority.sign(read.value, { usages: used, expirationSeconds, now })
      : read
    return {
      request,
      certificate: certificate.ok ? certificate.value : '',
      CA: caPem,
      CAKey: caKeyPem,
      usages: used,
      // Source: signer.duration.
      lifetime: Math.min(Math.max(expirationSeconds ?? year, 600), year),
      now,
      error: read.ok ? '' : read.error,
    }
  })

await describeOracle(
  {
    name: 'certificates',
    subject: 'certificates',
    title: 'requests for certificates',
    summary: () => counts.join(', '),
  },
  (oracle) => {
    const compares = functionComparisons(oracle, counts)

    compares('requests that kubelets make', {
      ask: 'verdicts',
      values: requests,
      ours: ({ request, usages: used }) => {
        const read = parseCertificateRequest(request)
        if (!read.ok) return new Refusal(read.error)
        return {
          serving: signingProblem('kubernetes.io/kubelet-serving', read.value, used),
          client: kubeletClientProblem(read.value, used),
        }
      },
      count: 600,
    })

    compares('signed certificates', {
      ask: 'sign',
      values: signed,
      // Of both certificates the oracle says what is in them.
      theirs: (answer, { error }) => {
        if (answer instanceof Refusal) return answer.message
        if (error !== '' || !isJsonObject(answer)) return answer
        const { ours, theirs } = {
          ours: objectAt(answer, 'ours'),
          theirs: objectAt(answer, 'theirs'),
        }
        return JSON.stringify(ours) === JSON.stringify(theirs) ? '' : { ours, theirs }
      },
      ours: ({ error }) => error,
      count: 600,
    })
  },
)
