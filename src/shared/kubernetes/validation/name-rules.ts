/**
 * The rules for names, labels and keys. Each returns what is wrong with the value, in the API
 * server's words; nothing when it is fine. Source: apimachinery pkg/util/validation/validation.go.
 */

const label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
const subdomain = `${label}(\\.${label})*`
const qualifiedName = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'

const labelPattern = new RegExp(`^${label}$`)
const subdomainPattern = new RegExp(`^${subdomain}$`)
const qualifiedNamePattern = new RegExp(`^${qualifiedName}$`)
const labelValuePattern = new RegExp(`^(${qualifiedName})?$`)

const reasonRule =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_'"

// The stray blank after a comma is the original's.
function mismatch(rule: string, pattern: string, ...examples: readonly string[]): string {
  const shown = examples.map((example) => `'${example}', `).join(' or ')
  return `${rule} (e.g. ${shown}regex used for validation is '${pattern}')`
}

function tooLong(limit: number): string {
  return `must be no more than ${limit} characters`
}

/** A DNS-1123 label: containers, volumes, namespaces. */
export function dnsLabelProblems(value: string): readonly string[] {
  const problems: string[] = []
  if (value.length > 63) problems.push(tooLong(63))
  if (labelPattern.test(value)) return problems
  if (subdomainPattern.test(value)) return [...problems, 'must not contain dots']
  const rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character"
  return [...problems, mismatch(rule, label, 'my-name', '123-abc')]
}

/** A DNS-1035 label: services. */
export function dns1035LabelProblems(value: string): readonly string[] {
  const pattern = '[a-z]([-a-z0-9]*[a-z0-9])?'
  const rule =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character"
  return [
    ...(value.length > 63 ? [tooLong(63)] : []),
    ...(new RegExp(`^${pattern}$`).test(value)
      ? []
      : [mismatch(rule, pattern, 'my-name', 'abc-123')]),
  ]
}

/** A DNS-1123 subdomain: most objects' names. */
export function dnsSubdomainProblems(value: string): readonly string[] {
  const problems: string[] = []
  if (value.length > 253) problems.push(tooLong(253))
  if (subdomainPattern.test(value)) return problems
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character"
  return [...problems, mismatch(rule, subdomain, 'example.com')]
}

/** A key of labels, annotations (in lower case), taints and finalizers: `name` or `prefix/name`. */
export function qualifiedNameProblems(value: string): readonly string[] {
  const rule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  const shownRule = mismatch(rule, qualifiedName, 'MyName', 'my.name', '123-abc')
  const parts = value.split('/')
  if (parts.length > 2) {
    return [
      `a qualified name ${shownRule} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const name = parts.at(-1) ?? ''
  const prefix = parts.length === 2 ? (parts[0] ?? '') : undefined
  const problems = prefix === undefined ? [] : prefixProblems(prefix)
  if (name === '') problems.push('name part must be non-empty')
  else if (name.length > 63) problems.push(`name part ${tooLong(63)}`)
  if (!qualifiedNamePattern.test(name)) problems.push(`name part ${shownRule}`)
  return problems
}

function prefixProblems(prefix: string): string[] {
  if (prefix === '') return ['prefix part must be non-empty']
  return dnsSubdomainProblems(prefix).map((problem) => `prefix part ${problem}`)
}

/** A label's value; empty is fine. */
export function labelValueProblems(value: string): readonly string[] {
  const problems: string[] = []
  if (value.length > 63) problems.push(tooLong(63))
  if (labelValuePattern.test(value)) return problems
  const rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character"
  return [...problems, mismatch(rule, `(${qualifiedName})?`, 'MyValue', 'my_value', '12345')]
}

/** The name of a container's port. */
export function portNameProblems(value: string): readonly string[] {
  const problems: string[] = []
  if (value.length > 15) problems.push(tooLong(15))
  if (!/^[-a-z0-9]+$/.test(value)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(value)) problems.push('must contain at least one letter (a-z)')
  if (value.includes('--')) problems.push('must not contain consecutive hyphens')
  if (value.startsWith('-') || value.endsWith('-')) {
    problems.push('must not begin or end with a hyphen')
  }
  return problems
}

/** The name of an environment variable as a shell would take it, dots and dashes too. */
function strictEnvironmentNameProblems(value: string): readonly string[] {
  const name = '[-._a-zA-Z][-._a-zA-Z0-9]*'
  const rule =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', and must not start with a digit"
  const examples = ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1']
  return new RegExp(`^${name}$`).test(value) ? [] : [mismatch(rule, name, ...examples)]
}

/** What would mean a folder: `.`, `..`, and what begins with the latter. */
function folderNameProblems(value: string): readonly string[] {
  if (value === '.') return ["must not be '.'"]
  if (value === '..') return ["must not be '..'"]
  return value.startsWith('..') ? ["must not start with '..'"] : []
}

/** A key of a config map or a secret, which becomes a file's name. */
export function configKeyProblems(value: string): readonly string[] {
  const pattern = '[-._a-zA-Z0-9]+'
  const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
  const isKey = new RegExp(`^${pattern}$`).test(value)
  return [
    ...(value.length > 253 ? [tooLong(253)] : []),
    ...(isKey ? [] : [mismatch(rule, pattern, 'key.name', 'KEY_NAME', 'key-name')]),
    ...folderNameProblems(value),
  ]
}

/** The name of an environment variable: relaxed, anything printable in ASCII but `=`. Not empty. */
export function environmentNameProblems(
  value: string,
  { isRelaxed }: { readonly isRelaxed: boolean },
): readonly string[] {
  if (!isRelaxed) return [...strictEnvironmentNameProblems(value), ...folderNameProblems(value)]
  if (/^[\x20-\x3c\x3e-\x7e]*$/.test(value)) return []
  return [
    "a valid environment variable name must consist only of printable ASCII characters other than '='",
  ]
}

/** A port number. */
export function portNumberProblems(value: number): readonly string[] {
  return value >= 1 && value <= 65_535 ? [] : ['must be between 1 and 65535, inclusive']
}

/** A percentage: `25%`. */
export function percentProblems(value: string): readonly string[] {
  const percent = '[0-9]+%'
  if (new RegExp(`^${percent}$`).test(value)) return []
  const rule = "a valid percent string must be a numeric string followed by an ending '%'"
  return [mismatch(rule, percent, '1%', '93%')]
}

/** The reason of a meta/v1 condition; empty is not this rule's matter. */
export function conditionReasonProblems(value: string): readonly string[] {
  const reason = '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?'
  if (new RegExp(`^${reason}$`).test(value)) return []
  const examples = ['my_name', 'MY_NAME', 'MyName', 'ReasonA,ReasonB', 'ReasonA:ReasonB']
  return [mismatch(reasonRule, reason, ...examples)]
}
