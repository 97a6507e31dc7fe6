import { err, ok } from '../../../../shared/result.ts'
import type { Listener } from './listener.ts'
import { flagOf } from './server-context.ts'
import type { ServerContext, Servers } from './server-context.ts'
import { fileAnswer, pathOf, textAnswer } from './web-site.ts'

function queryOf(path: string, name: string): string {
  return new URLSearchParams(path.split('?')[1] ?? '').get(name) ?? ''
}

/** Go's http.NotFound. */
const notFound = textAnswer(404, '404 page not found\n')

/** agnhost liveness: healthy for 10 seconds. */
function liveness(context: ServerContext): Servers {
  const http: Listener['http'] = (request) => {
    const seconds = context.ageMs / 1000
    switch (pathOf(request)) {
      case '/started':
        return textAnswer(200, `${seconds}s`)
      case '/healthz':
        return seconds > 10 ? textAnswer(500, `error: ${seconds}`) : textAnswer(200, 'ok')
      case '/redirect':
        return redirect(queryOf(request.path, 'loc'))
      default:
        return notFound
    }
  }
  return new Map([[8080, { http }]])
}

function redirect(to: string): ReturnType<NonNullable<Listener['http']>> {
  return { statusCode: 302, body: '', headers: [['Location', to]] }
}

/** agnhost netexec, without what runs commands or keeps files. */
function netexec(context: ServerContext): Servers {
  const http: Listener['http'] = (request) => {
    context.log(`GET ${request.path}\n`)
    switch (pathOf(request)) {
      case '/clientip':
        return textAnswer(200, `${request.from}:40000`)
      case '/echo':
        return textAnswer(
          Number(queryOf(request.path, 'code')) || 200,
          queryOf(request.path, 'msg'),
        )
      case '/healthz':
      case '/readyz':
        return textAnswer(200, '')
      case '/hostname':
      case '/hostName':
        return textAnswer(200, context.hostname)
      case '/redirect':
        return redirect(queryOf(request.path, 'location'))
      default:
        return textAnswer(200, `NOW: ${new Date(context.now()).toISOString()}`)
    }
  }
  return new Map([[Number(flagOf(context, 'http-port') ?? 8080), { http }]])
}

/** agnhost grpc-health-checking. */
function grpcHealthChecking(context: ServerContext): Servers {
  const delaySeconds = Number(flagOf(context, 'delay-unhealthy-sec') ?? -1)
  const name = flagOf(context, 'service') ?? ''
  let forced: boolean | undefined
  const health: Listener['health'] = (service) => {
    if (service !== name)
      return err({ kind: 'status', code: 'NotFound', message: 'unknown service' })
    const isOver = delaySeconds >= 0 && context.ageMs >= delaySeconds * 1000
    return ok((forced ?? isOver) ? 'NOT_SERVING' : 'SERVING')
  }
  const http: Listener['http'] = (request) => {
    const path = pathOf(request)
    if (path !== '/make-not-serving' && path !== '/make-serving') return notFound
    forced = path === '/make-not-serving'
    return textAnswer(200, `${context.ageMs / 1000}s`)
  }
  return new Map<number, Listener>([
    [Number(flagOf(context, 'port') ?? 5000), { health }],
    [Number(flagOf(context, 'http-port') ?? 8080), { http }],
  ])
}

/** The servers of agnhost's subcommands; of others, none. */
export function agnhostServers(context: ServerContext): Servers {
  const { words } = context
  const [command] = /(^|\/)agnhost$/.test(words[0] ?? '') ? words.slice(1) : words
  switch (command) {
    case 'liveness':
      return liveness(context)
    case 'netexec':
      return netexec(context)
    case 'grpc-health-checking':
      return grpcHealthChecking(context)
    case 'serve-hostname': {
      const http = () => textAnswer(200, context.hostname)
      return new Map([[Number(flagOf(context, 'port') ?? 9376), { http }]])
    }
    case 'test-webserver': {
      const http: Listener['http'] = (request) =>
        fileAnswer(context.files(), '', request, () => notFound)
      return new Map([[Number(flagOf(context, 'port') ?? 80), { http }]])
    }
    default:
      return new Map()
  }
}
