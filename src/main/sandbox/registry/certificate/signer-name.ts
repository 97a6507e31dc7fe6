import {
  invalidEach,
  invalidField,
  problemIf,
  requiredField,
  tooLongField,
} from '../../../../shared/kubernetes/validation/field-problem.ts'
import type { FieldProblems } from '../../../../shared/kubernetes/validation/field-problem.ts'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
} from '../../../../shared/kubernetes/validation/name-rules.ts'

const maxSubdomain = 253
const maxLabel = 63

/** The problems of the first part that has some. */
function partProblems(
  field: string,
  whole: string,
  rule: (part: string) => readonly string[],
): FieldProblems {
  for (const part of whole.split('.')) {
    const problems = rule(part).map((why) => `validating label ${JSON.stringify(part)}: ${why}`)
    if (problems.length > 0) return invalidEach(field, whole, problems)
  }
  return []
}

/** Problems of `example.com/signer-name`. Source: pkg/apis/core/validation/names.go ValidateSignerName (v1.34). */
export function signerNameProblems(field: string, name: string): FieldProblems {
  if (name === '') return [requiredField(field)]
  const [domain = '', path, ...more] = name.split('/')
  if (path === undefined || more.length > 0) {
    const why = `must be a fully qualified domain and path of the form 'example.com/signer-name'`
    return [invalidField(field, name, why)]
  }
  const longest = 2 * maxSubdomain + maxLabel + 2
  const short = 'should be a domain with at least two segments separated by dots'
  return [
    ...problemIf(domain.length > maxSubdomain, tooLongField(field, maxSubdomain)),
    ...partProblems(field, domain, dnsLabelProblems),
    ...problemIf(!domain.includes('.'), invalidField(field, domain, short)),
    ...partProblems(field, path, dnsSubdomainProblems),
    ...problemIf(name.length > longest, tooLongField(field, longest)),
  ]
}
