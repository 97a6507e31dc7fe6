import type { Listener } from '../network/listener.ts'
import type { HttpAnswer } from '../network/listener.ts'
import { reasonOf } from '../network/web-site.ts'
import type { Running } from '../process/running.ts'
import { known, Unreadable } from '../shell/unreadable.ts'
import type { Program, ProgramIo } from './program.ts'
import { optionsOf, programOf } from './program.ts'

/** Linux gives up after its sixth SYN. */
const connectLimitMs = 127_000

type Reached =
  | { readonly kind: 'open'; readonly address: string; readonly listener: Listener }
  | { readonly kind: 'refused' | 'timeout'; readonly address: string }
  | { readonly kind: 'unknown-name' }

/** Connects, waiting for an address that does not answer. */
export function* reach(
  io: ProgramIo,
  target: { readonly host: string; readonly port: number },
  limitMs = connectLimitMs,
): Running<Reached> {
  const [address] = io.network.resolve(target.host, io.files)
  if (address === undefined) return { kind: 'unknown-name' }
  const found = io.network.connect(address, target.port)
  if (typeof found !== 'string') return { kind: 'open', address, listener: found }
  if (found === 'refused') return { kind: 'refused', address }
  yield { until: io.now() + Math.min(limitMs, connectLimitMs) }
  return { kind: 'timeout', address }
}

export function portOf(text: string | undefined, program: string): number {
  const port = Number(known(text ?? '', program))
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Unreadable(`${program} without a port`)
  return port
}

interface Url {
  readonly host: string
  readonly port: number
  readonly path: string
}

function urlOf(text: string, program: string): Url {
  const match = /^(?:http:\/\/)?([^/:?#]+)(?::(\d+))?([/?][^#]*)?(?:#.*)?$/.exec(
    known(text, program),
  )
  // HTTPS: no simulated server has a certificate.
  if (match === null) throw new Unreadable(`${program} ${text}`)
  const [, host = '', port = '80', path = '/'] = match
  return { host, port: Number(port), path: path.startsWith('/') ? path : `/${path}` }
}

/** Long options with a value as the short ones: `--timeout=5` is `-T 5`. */
export function shortened(
  operands: readonly string[],
  names: Readonly<Record<string, string>>,
): readonly string[] {
  return operands.flatMap((operand) => {
    const match = /^--([^=]+)(?:=([^]*))?$/.exec(operand)
    const letter = match === null ? undefined : names[match[1] ?? '']
    if (letter === undefined) return [operand]
    return match?.[2] === undefined ? [letter] : [letter, match[2]]
  })
}

function headersOf(agent: string, { host, port }: Url): readonly (readonly [string, string])[] {
  return [
    ['Host', port === 80 ? host : `${host}:${port}`],
    ['User-Agent', agent],
  ]
}

/** Asks, and follows redirects on the way. Undefined: the server closed the connection. */
function answerOf(
  io: ProgramIo,
  url: Url,
  listener: Listener,
  request: { readonly method: string; readonly agent: string },
): HttpAnswer | undefined {
  const headers = headersOf(request.agent, url)
  return listener.http?.({
    method: request.method,
    path: url.path,
    headers,
    from: io.network.address,
  })
}

const wgetLong = { timeout: '-T', tries: '-t', quiet: '-q', 'output-document': '-O' }

/** busybox networking/wget.c. */
const wget: Program = programOf((operands) => {
  const { flags, values, rest } = optionsOf('wget', shortened(operands, wgetLong), {
    flags: 'qc',
    values: 'OTtU',
    long: ['spider', 'no-check-certificate'],
  })
  const [text, ...others] = rest
  if (text === undefined || others.length > 0) throw new Unreadable('wget of other than one URL')
  const url = urlOf(text, 'wget')
  const isSpider = flags.has('spider')
  const name =
    values.get('O') ?? (url.path.replace(/\?.*/, '').replace(/^.*\//, '') || 'index.html')
  const limitMs = values.has('T') ? Number(values.get('T')) * 1000 : connectLimitMs
  return function* run(io) {
    const note = function* (line: string): Running<void> {
      if (!flags.has('q')) yield* io.write(`${line}\n`, 'stderr')
    }
    const fail = function* (why: string): Running<number> {
      yield* io.write(`wget: ${why}\n`, 'stderr')
      return 1
    }
    const [address] = io.network.resolve(url.host, io.files)
    if (address === undefined) return yield* fail(`bad address '${url.host}'`)
    yield* note(`Connecting to ${url.host}:${url.port} (${address}:${url.port})`)
    const reached = yield* reach(io, url, limitMs)
    if (reached.kind !== 'open') {
      if (reached.kind === 'timeout' && limitMs < connectLimitMs)
        return yield* fail('download timed out')
      const why = reached.kind === 'refused' ? 'Connection refused' : 'Connection timed out'
      return yield* fail(`can't connect to remote host (${address}): ${why}`)
    }
    const method = isSpider ? 'HEAD' : 'GET'
    const answer = answerOf(io, url, reached.listener, { method, agent: 'Wget' })
    if (answer === undefined) return yield* fail('error getting response')
    const { statusCode, body } = answer
    if (statusCode >= 300)
      return yield* fail(`server returned error: HTTP/1.1 ${statusCode} ${reasonOf(statusCode)}`)
    if (isSpider) {
      yield* note('remote file exists')
      return 0
    }
    const isStandard = name === '-'
    yield* note(isStandard ? 'writing to stdout' : `saving to '${name}'`)
    if (isStandard) yield* io.write(body)
    else {
      const error = io.files.tree.write(io.files.absolute(name), body)
      if (error !== undefined) return yield* fail(`can't open '${name}': File exists`)
    }
    const size = new TextEncoder().encode(body).length
    if (size > 0)
      yield* note(
        `${name.padEnd(20).slice(0, 20)} 100% |${'*'.repeat(32)}|${String(size).padStart(6)}  0:00:00 ETA`,
      )
    yield* note(isStandard ? 'written to stdout' : `'${name}' saved`)
    return 0
  }
})

const curlLong = {
  silent: '-s',
  'show-error': '-S',
  fail: '-f',
  location: '-L',
  output: '-o',
  head: '-I',
  'max-time': '-m',
  request: '-X',
  header: '-H',
  data: '-d',
  'write-out': '-w',
  'connect-timeout': '-y',
}

/** curl without its progress meter. */
const curl: Program = programOf((operands) => {
  const { flags, values, rest } = optionsOf('curl', shortened(operands, curlLong), {
    flags: 'sSfLIk',
    values: 'omXHdwyA',
  })
  const [text, ...others] = rest
  if (text === undefined || others.length > 0) throw new Unreadable('curl of other than one URL')
  const url = urlOf(text, 'curl')
  const given = values.get('m') ?? values.get('y')
  const limitMs = given === undefined ? connectLimitMs : Number(given) * 1000
  const method = values.get('X') ?? (flags.has('I') ? 'HEAD' : values.has('d') ? 'POST' : 'GET')
  const output = values.get('o')
  return function* run(io) {
    const fail = function* (code: number, why: string): Running<number> {
      if (!flags.has('s') || flags.has('S')) yield* io.write(`curl: (${code}) ${why}\n`, 'stderr')
      return code
    }
    const startedAt = io.now()
    const reached = yield* reach(io, url, limitMs)
    if (reached.kind === 'unknown-name')
      return yield* fail(6, `Could not resolve host: ${url.host}`)
    if (reached.kind !== 'open') {
      const ms = Math.round(io.now() - startedAt)
      const code = reached.kind === 'refused' ? 7 : 28
      const why = `Failed to connect to ${url.host} port ${url.port} after ${ms} ms: Couldn't connect to server`
      return yield* fail(
        code,
        reached.kind === 'timeout' && given !== undefined
          ? `Connection timed out after ${ms} milliseconds`
          : why,
      )
    }
    const answer = answerOf(io, url, reached.listener, { method, agent: 'curl/8' })
    if (answer === undefined) return yield* fail(52, 'Empty reply from server')
    const { statusCode, body, headers = [] } = answer
    if (flags.has('f') && statusCode >= 400)
      return yield* fail(22, `The requested URL returned error: ${statusCode}`)
    const head = [
      `HTTP/1.1 ${statusCode} ${reasonOf(statusCode)}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
    ]
    const shown = flags.has('I') ? `${head.join('\r\n')}\r\n\r\n` : body
    if (output === undefined) yield* io.write(shown)
    else if (output !== '/dev/null') {
      const error = io.files.tree.write(io.files.absolute(output), shown)
      if (error !== undefined) return yield* fail(23, `Failure writing output to destination`)
    }
    const format = values.get('w') ?? ''
    yield* io.write(
      format
        .replaceAll(/%\{(?:http_code|response_code)\}/g, String(statusCode))
        .replaceAll(String.raw`\n`, '\n'),
    )
    return 0
  }
})

export const webClients: readonly (readonly [string, Program])[] = [
  ['wget', wget],
  ['curl', curl],
]
