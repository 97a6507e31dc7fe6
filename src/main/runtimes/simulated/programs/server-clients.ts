import {
  fullImageName,
  parseImageReference,
} from '../../../../shared/kubernetes/image-reference.ts'
import { dateText } from '../process/date-text.ts'
import { mainPid } from '../process/process-table.ts'
import type { Running } from '../process/running.ts'
import { signalNamed } from '../process/signals.ts'
import { known, Unreadable, unknownText } from '../shell/unreadable.ts'
import type { Options, Program, ProgramIo } from './program.ts'
import { complain, optionsOf, programOf } from './program.ts'
import { portOf, reach, shortened } from './web-clients.ts'

// What probes and hooks ask a server with: it is up as soon as its port is open. Texts are those of redis-cli 7, PostgreSQL 16,
// MySQL 8, mongosh 2, grpc-health-probe 0.4 and nginx 1.27, written down once; no test runs those programs.

interface Target {
  readonly host: string
  readonly port: number
}

/** A host that was not given is this container's own. */
function targetOf({ values }: Options, host: string, port: string, usualPort: number): Target {
  return {
    host: known(values.get(host) ?? '127.0.0.1', 'a host'),
    port: portOf(values.get(port) ?? String(usualPort), 'a client'),
  }
}

type Why = 'refused' | 'timeout' | 'unknown-name'

/** Undefined: the port is open. */
function* whyUnreachable(
  io: ProgramIo,
  target: Target,
  limitMs?: number,
): Running<Why | undefined> {
  const reached = yield* reach(io, target, limitMs)
  if (reached.kind !== 'open') return reached.kind
  reached.listener.onConnect?.()
  return undefined
}

const errorNumbers = { refused: 111, timeout: 110, 'unknown-name': -2 } as const

const redisLong = { user: '-U', pass: '-a', raw: '-q', 'no-auth-warning': '-q' }

/** `redis-cli ping`. */
const redisCli: Program = programOf((operands) => {
  const options = optionsOf('redis-cli', shortened(operands, redisLong), {
    flags: 'q',
    values: 'hpantU',
  })
  const [command = '', text = 'PONG', ...others] = options.rest
  if (command.toLowerCase() !== 'ping' || others.length > 0)
    throw new Unreadable(`redis-cli ${options.rest.join(' ')}`.trim())
  const target = targetOf(options, 'h', 'p', 6379)
  const reasons = {
    refused: 'Connection refused',
    timeout: 'Connection timed out',
    'unknown-name': 'Name or service not known',
  }
  const warns = options.values.has('a') && !options.flags.has('q')
  return function* run(io) {
    if (warns)
      yield* complain(
        io,
        "Warning: Using a password with '-a' or '-u' option on the command line interface may not be safe.",
      )
    const why = yield* whyUnreachable(io, target)
    if (why === undefined) {
      yield* io.write(`${text}\n`)
      return 0
    }
    yield* complain(
      io,
      `Could not connect to Redis at ${target.host}:${target.port}: ${reasons[why]}`,
    )
    return 1
  }
})

const pgLong = {
  dbname: '-d',
  host: '-h',
  port: '-p',
  quiet: '-q',
  timeout: '-t',
  username: '-U',
}

/** pg_isready; it waits three seconds for an answer, unless `-t` says another time. */
const pgIsReady: Program = programOf((operands) => {
  const options = optionsOf('pg_isready', shortened(operands, pgLong), {
    flags: 'q',
    values: 'dhptU',
  })
  if (options.rest.length > 0) throw new Unreadable('pg_isready with operands')
  const target = targetOf(options, 'h', 'p', 5432)
  const where = `${options.values.get('h') ?? '/var/run/postgresql'}:${target.port}`
  const seconds = Number(options.values.get('t') ?? '3')
  return function* run(io) {
    const why = yield* whyUnreachable(io, target, seconds === 0 ? undefined : seconds * 1000)
    if (!options.flags.has('q'))
      yield* io.write(`${where} - ${why === undefined ? 'accepting connections' : 'no response'}\n`)
    return why === undefined ? 0 : 2
  }
})

const mysqlLong = { host: '-h', port: '-P', user: '-u', execute: '-e', silent: '-s' }

/** Without the password, which has no say here. */
function mysqlOptions(name: string, operands: readonly string[]): Options {
  const others = operands.filter((operand) => !/^(-p|--password(=|$))/.test(operand))
  return optionsOf(name, shortened(others, mysqlLong), { flags: 'sNBq', values: 'hPue' })
}

const socket = '/var/run/mysqld/mysqld.sock'

function mysqlError({ values }: Options, target: Target, why: Why): string {
  const host = values.get('h') ?? 'localhost'
  return host === 'localhost'
    ? `Can't connect to local MySQL server through socket '${socket}' (2)`
    : why === 'unknown-name'
      ? `Unknown MySQL server host '${host}' (${errorNumbers[why]})`
      : `Can't connect to MySQL server on '${host}:${target.port}' (${errorNumbers[why]})`
}

/** `mysqladmin ping`. */
function mysqlAdmin(name: string): Program {
  return programOf((operands) => {
    const options = mysqlOptions(name, operands)
    if (options.rest.join(' ') !== 'ping')
      throw new Unreadable(`${name} ${options.rest.join(' ')}`.trim())
    const target = targetOf(options, 'h', 'P', 3306)
    const host = options.values.get('h') ?? 'localhost'
    return function* run(io) {
      const why = yield* whyUnreachable(io, target)
      if (why === undefined) {
        yield* io.write('mysqld is alive\n')
        return 0
      }
      const hint =
        host === 'localhost'
          ? `Check that mysqld is running and that the socket: '${socket}' exists!`
          : `Check that mysqld is running on ${host} and that the port is ${target.port}.\nYou can check this by doing 'telnet ${host} ${target.port}'`
      yield* complain(io, `${name}: connect to server at '${host}' failed`)
      yield* complain(io, `error: '${mysqlError(options, target, why)}'\n${hint}`)
      return 1
    }
  })
}

/** `mysql -e 'SELECT 1'`. */
function mysql(name: string): Program {
  return programOf((operands) => {
    const options = mysqlOptions(name, operands)
    const statement = known(options.values.get('e') ?? '', name)
    if (!/^\s*select\s+1\s*;?\s*$/i.test(statement)) throw new Unreadable(`${name} ${statement}`)
    const target = targetOf(options, 'h', 'P', 3306)
    return function* run(io) {
      const why = yield* whyUnreachable(io, target)
      if (why === undefined) {
        yield* io.write(options.flags.has('N') ? '1\n' : '1\n1\n')
        return 0
      }
      const isLocal = (options.values.get('h') ?? 'localhost') === 'localhost'
      const code = isLocal ? 2002 : why === 'unknown-name' ? 2005 : 2003
      yield* complain(io, `ERROR ${code} (HY000): ${mysqlError(options, target, why)}`)
      return 1
    }
  })
}

/** `db.adminCommand('ping')`, `db.runCommand({ ping: 1 })`, and the same with `.ok`. */
const mongoPing =
  /^\s*db\.(?:admin|run)Command\(\s*(?:(['"])ping\1|\{\s*(['"]?)ping\2\s*:\s*1\s*\})\s*\)(\.ok)?\s*;?\s*$/

/** `mongosh --eval EXPRESSION`. */
const mongosh: Program = programOf((operands) => {
  const long = { eval: '-e', quiet: '-q', host: '-H', port: '-P', norc: '-q' }
  const options = optionsOf('mongosh', shortened(operands, long), { flags: 'q', values: 'eHP' })
  const expression = mongoPing.exec(known(options.values.get('e') ?? '', 'mongosh'))
  if (expression === null || options.rest.length > 0)
    throw new Unreadable(`mongosh ${operands.join(' ')}`.trim())
  const target = targetOf(options, 'H', 'P', 27_017)
  return function* run(io) {
    const why = yield* whyUnreachable(io, target, 30_000)
    if (why === undefined) {
      yield* io.write(expression[3] === undefined ? '{ ok: 1 }\n' : '1\n')
      return 0
    }
    const error =
      why === 'unknown-name'
        ? `getaddrinfo ENOTFOUND ${target.host}`
        : `connect ${why === 'refused' ? 'ECONNREFUSED' : 'ETIMEDOUT'} ${target.host}:${target.port}`
    yield* complain(io, `MongoNetworkError: ${error}`)
    return 1
  }
})

/** Go's notation of short times: `1s`, `500ms`. */
function durationMs(text: string): number {
  const [, digits = '', unit] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(text) ?? []
  if (digits === '') throw new Unreadable(`the time ${text}`)
  return Number(digits) * { ms: 1, s: 1000, m: 60_000 }[unit as 'ms' | 's' | 'm']
}

/** grpc-health-probe, of which older kubelets made gRPC probes. */
const grpcHealthProbe: Program = programOf((operands) => {
  const given = new Map<string, string>()
  const left = [...operands]
  for (let operand = left.shift(); operand !== undefined; operand = left.shift()) {
    const [, name = '', value] =
      /^--?(addr|service|connect-timeout|rpc-timeout)(?:=(.*))?$/.exec(operand) ?? []
    if (name === '') throw new Unreadable(`grpc_health_probe ${operand}`)
    given.set(name, known(value ?? left.shift() ?? '', 'grpc_health_probe'))
  }
  const [, host = '', port] = /^(.*):(\d+)$/.exec(given.get('addr') ?? '') ?? []
  if (port === undefined) throw new Unreadable('grpc_health_probe without an address')
  const address = given.get('addr') ?? ''
  const service = given.get('service') ?? ''
  const limit = given.get('connect-timeout') ?? '1s'
  const limitMs = durationMs(limit)
  return function* run(io) {
    const target = { host: host || '127.0.0.1', port: Number(port) }
    const reached = yield* reach(io, target, limitMs)
    if (reached.kind !== 'open') {
      // It tries again until its time is over.
      if (reached.kind === 'refused') yield { until: io.now() + limitMs }
      yield* complain(
        io,
        `timeout: failed to connect service ${JSON.stringify(address)} within ${limit}`,
      )
      return 2
    }
    const checked = reached.listener.health?.(service)
    if (checked?.ok === true) {
      const isServing = checked.value === 'SERVING'
      yield* complain(
        io,
        isServing
          ? 'status: SERVING'
          : `service unhealthy (responded with ${JSON.stringify(checked.value)})`,
      )
      return isServing ? 0 : 4
    }
    const error = checked?.error.kind === 'status' ? checked.error : undefined
    yield* complain(
      io,
      error === undefined
        ? 'error: this server does not implement the grpc health protocol (grpc.health.v1.Health)'
        : `error: health rpc failed: rpc error: code = ${error.code} desc = ${error.message}`,
    )
    return 3
  }
})

/** Whether PID 1 is the image's server: its command is not read, and is none or begins with its name. */
function isRunning(server: string, io: ProgramIo): boolean {
  const command = io.processes().find(({ pid }) => pid === mainPid)?.command ?? ''
  const [program = ''] = command.split(' ')
  return command === unknownText || program.replace(/^.*\//, '') === server
}

/** `nginx -s SIGNAL` and `nginx -t`; a server is not read, so that the container stays what its image is. */
const nginx: Program = programOf((operands) => {
  const [option, signal, ...others] = operands
  if (option === '-t' && signal === undefined) return testNginx
  const isKnown = ['quit', 'stop', 'reload', 'reopen'].includes(signal ?? '')
  if (option !== '-s' || !isKnown || others.length > 0) throw new Unreadable('nginx')
  return function* run(io) {
    if (!isRunning('nginx', io)) {
      yield* complain(
        io,
        'nginx: [error] open() "/run/nginx.pid" failed (2: No such file or directory)',
      )
      return 1
    }
    const pid = io.processes().at(-1)?.pid ?? mainPid
    const time = dateText(io.now(), ['+%Y/%m/%d %T']) ?? ''
    yield* complain(io, `${time} [notice] ${pid}#${pid}: signal process started`)
    if (signal === 'quit' || signal === 'stop') io.signal(mainPid, 'TERM')
    return 0
  }
})

function* testNginx(io: ProgramIo): Running<number> {
  const file = '/etc/nginx/nginx.conf'
  yield* complain(io, `nginx: the configuration file ${file} syntax is ok`)
  yield* complain(io, `nginx: configuration file ${file} test is successful`)
  return 0
}

/** `killall` of the image's server; other processes are not known by their names. */
const killall: Program = {
  run: (operands, { shell }) => {
    const [server = '', ...others] = operands.filter((one) => !one.startsWith('-'))
    const signals = operands.filter((one) => one.startsWith('-') && one !== '-q')
    const [given = '-TERM'] = signals
    const signal = given === '-0' ? 0 : signalNamed(given.slice(1))
    const image = parseImageReference(fullImageName(shell?.script.image ?? '') ?? '')
    const isOwn = shell === undefined || (image.ok && image.value.path.split('/').at(-1) === server)
    if (!isOwn || others.length > 0 || signals.length > 1 || signal === undefined)
      throw new Unreadable(`killall ${operands.join(' ')}`)
    return {
      kind: 'runs',
      *run(io) {
        if (!isRunning(server, io)) {
          if (!operands.includes('-q')) yield* complain(io, `killall: ${server}: no process killed`)
          return 1
        }
        if (signal !== 0) io.signal(mainPid, signal)
        return 0
      },
    }
  },
}

export const serverClients: readonly (readonly [string, Program])[] = [
  ['redis-cli', redisCli],
  ['valkey-cli', redisCli],
  ['pg_isready', pgIsReady],
  ['mysqladmin', mysqlAdmin('mysqladmin')],
  ['mariadb-admin', mysqlAdmin('mariadb-admin')],
  ['mysql', mysql('mysql')],
  ['mariadb', mysql('mariadb')],
  ['mongosh', mongosh],
  ['mongo', mongosh],
  ['grpc_health_probe', grpcHealthProbe],
  ['nginx', nginx],
  ['killall', killall],
]
