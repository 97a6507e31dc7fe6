import { fileAnswer, reasonOf } from '../network/web-site.ts'
import type { HttpAnswer, HttpRequest, Listener } from '../network/listener.ts'
import type { Running } from '../process/running.ts'
import { known, Unreadable } from '../shell/unreadable.ts'
import type { Program, ProgramIo } from './program.ts'
import { complain, optionsOf, programOf } from './program.ts'
import { serverClients } from './server-clients.ts'
import { portOf, reach, webClients } from './web-clients.ts'

/** Listens until the program ends, or for the rest of the container's life. */
function* serve(
  io: ProgramIo,
  port: number,
  listener: Listener,
  inUse: string,
  until: { readonly isOver?: () => boolean } | 'for ever' = {},
): Running<number> {
  const close = io.network.open(port, listener)
  if (close === undefined) {
    yield* complain(io, inUse)
    return 1
  }
  if (until === 'for ever') return 0
  try {
    yield {
      until: Number.POSITIVE_INFINITY,
      ...(until.isOver === undefined ? {} : { isInterrupted: until.isOver }),
    }
  } finally {
    close()
  }
  return 0
}

/** What a client gets of the text that nc sends: an HTTP answer, if it is one. */
function answerOf(text: string): HttpAnswer | undefined {
  const match = /^HTTP\/1\.\d (\d{3})[^\n]*\n([^]*)$/.exec(text.replaceAll('\r\n', '\n'))
  if (match === null) return undefined
  const [, code, rest = ''] = match
  const end = rest.startsWith('\n') ? 0 : rest.indexOf('\n\n') + 1
  return { statusCode: Number(code), body: rest.slice(end + 1) }
}

function requestText({ method, path, headers }: HttpRequest): string {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return `${[`${method} ${path} HTTP/1.1`, ...lines].join('\r\n')}\r\n\r\n`
}

/** busybox nc: `-l -p PORT` for one connection, and `-z` to test a port. */
const nc: Program = programOf((operands) => {
  const { flags, values, rest } = optionsOf('nc', operands, { flags: 'lkznv', values: 'pw' })
  if (flags.has('l')) {
    const port = portOf(values.get('p') ?? rest.at(-1), 'nc')
    return function* run(io) {
      let isOver = false
      let received = ''
      const connected = (text: string): void => {
        received += text
        isOver = !flags.has('k')
        io.wake()
      }
      const listener: Listener = {
        onConnect: () => {
          connected('')
        },
        http: (request) => {
          const text = io.stdin.peek()
          io.stdin.take(text.length)
          connected(requestText(request))
          return answerOf(text)
        },
      }
      const isDone = { isOver: () => isOver }
      const status = yield* serve(io, port, listener, 'nc: bind: Address already in use', isDone)
      yield* io.write(received)
      return status
    }
  }
  const [host = '', port] = rest.map((operand) => known(operand, 'nc'))
  if (!flags.has('z')) throw new Unreadable('nc without -l or -z')
  const target = { host, port: portOf(port, 'nc') }
  const seconds = values.get('w')
  return function* run(io) {
    const reached = yield* reach(
      io,
      target,
      seconds === undefined ? undefined : Number(seconds) * 1000,
    )
    if (reached.kind === 'unknown-name') {
      yield* complain(io, `nc: bad address '${host}'`)
      return 1
    }
    const where = `${host} (${reached.address}:${target.port})`
    if (reached.kind === 'open') reached.listener.onConnect?.()
    const why = reached.kind === 'refused' ? 'Connection refused' : 'Connection timed out'
    if (flags.has('v'))
      yield* complain(io, reached.kind === 'open' ? `${where} open` : `nc: ${where}: ${why}`)
    return reached.kind === 'open' ? 0 : 1
  }
})

/** busybox nslookup of one name by the cluster's DNS. */
const nslookup: Program = programOf((operands) => {
  const [name, ...others] = optionsOf('nslookup', operands, { flags: '' }).rest
  if (name === undefined || others.length > 0)
    throw new Unreadable('nslookup of other than one name')
  const asked = known(name, 'nslookup')
  return function* run(io) {
    const config = io.files.text('/etc/resolv.conf')
    const server = /^nameserver\s+(\S+)/m.exec(config.ok ? config.value : '')?.[1] ?? '127.0.0.1'
    yield* io.write(`Server:\t\t${server}\nAddress:\t${server}:53\n\n`)
    const addresses = io.network.lookUp(asked)
    if (addresses.length === 0) {
      yield* io.write(`** server can't find ${asked}: NXDOMAIN\n\n`.repeat(2))
      return 1
    }
    for (const address of addresses) yield* io.write(`Name:\t${asked}\nAddress: ${address}\n`)
    yield* io.write('\n')
    return 0
  }
})

function failurePage(statusCode: number): HttpAnswer {
  const title = `${statusCode} ${reasonOf(statusCode)}`
  const body = `<HTML><HEAD><TITLE>${title}</TITLE></HEAD>\n<BODY><H1>${title}</H1>\n</BODY></HTML>\n`
  return { statusCode, body, headers: [['Content-Type', 'text/html']] }
}

/** busybox httpd; without -f it goes into the background. */
const httpd: Program = programOf((operands) => {
  const { flags, values, rest } = optionsOf('httpd', operands, { flags: 'fv', values: 'ph' })
  if (rest.length > 0) throw new Unreadable('httpd with operands')
  const port = portOf((values.get('p') ?? '80').replace(/^.*:/, ''), 'httpd')
  const folder = known(values.get('h') ?? '.', 'httpd')
  return function* run(io) {
    const root = io.files.absolute(folder)
    const http: Listener['http'] = (request) =>
      fileAnswer(io.files.tree, root, request, () => failurePage(404))
    const inUse = 'httpd: bind: Address already in use'
    return yield* serve(io, port, { http }, inUse, flags.has('f') ? {} : 'for ever')
  }
})

/** `python -m http.server [PORT] [-d FOLDER]`. */
const python: Program = programOf((operands) => {
  const [option, module, ...rest] = operands
  if (option !== '-m' || module !== 'http.server') throw new Unreadable('python')
  const { values, rest: ports } = optionsOf(
    'python',
    rest.flatMap((one) =>
      one.replace(/^--(d)irectory(?:=|$)/, '-$1').replace(/^--(b)ind(?:=|$)/, '-$1'),
    ),
    { flags: '', values: 'db' },
  )
  const port = portOf(ports[0] ?? '8000', 'python')
  const folder = known(values.get('d') ?? '.', 'python')
  return function* run(io) {
    const root = io.files.absolute(folder)
    const http: Listener['http'] = (request) =>
      fileAnswer(io.files.tree, root, request, (code) =>
        code === 403 ? { statusCode: 200, body: listing(io, root, request) } : failurePage(404),
      )
    return yield* serve(io, port, { http }, 'OSError: [Errno 98] Address already in use')
  }
})

function listing(io: ProgramIo, root: string, { path }: HttpRequest): string {
  const names = io.files.tree.list(`${root}${path}`)
  const items = (names.ok ? names.value : []).map(
    (name) => `<li><a href="${name}">${name}</a></li>\n`,
  )
  return `<h1>Directory listing for ${path}</h1>\n<ul>\n${items.join('')}</ul>\n`
}

export const networkPrograms: readonly (readonly [string, Program])[] = [
  ...webClients,
  ...serverClients,
  ['nc', nc],
  ['nslookup', nslookup],
  ['httpd', httpd],
  ['python', python],
  ['python3', python],
]
