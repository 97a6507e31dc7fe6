import { fullImageName } from '../../../../shared/kubernetes/image-reference.ts'
import { isJsonObject, numberAt, textAt } from '../../../../shared/json.ts'
import { ok } from '../../../../shared/result.ts'
import { textOf } from '../files/file-node.ts'
import type { FileTree } from '../files/file-tree.ts'
import { agnhostServers } from './agnhost.ts'
import type { HttpAnswer, HttpRequest, Listener } from './listener.ts'
import { flagOf } from './server-context.ts'
import type { ServerContext, Servers } from './server-context.ts'
import { fileAnswer, pathOf, reasonOf, textAnswer } from './web-site.ts'

const serving = (): ReturnType<NonNullable<Listener['health']>> => ok('SERVING')

/** A server that answers 200 to every path. */
function web(...ports: readonly number[]): () => Servers {
  return () => new Map(ports.map((port) => [port, { http: () => textAnswer(200, '') }]))
}

/** A server of a protocol other than HTTP. */
function tcp(...ports: readonly number[]): () => Servers {
  return () => new Map(ports.map((port) => [port, {}]))
}

/** Known servers, by the end of the repository. */
const servers: readonly (readonly [image: RegExp, of: (context: ServerContext) => Servers])[] = [
  [/\/pause$/, tcp()],
  [/\/agnhost$/, agnhostServers],
  [/\/nginx(-slim)?$/, (context) => nginx(context, 80)],
  [/\/nginx-unprivileged$/, (context) => nginx(context, 8080)],
  [/\/httpd$/, apache],
  [/\/redis$/, (context) => tcp(Number(flagOf(context, 'port') ?? 6379))()],
  [/\/valkey$/, (context) => tcp(Number(flagOf(context, 'port') ?? 6379))()],
  [/\/etcd$/, etcd],
  [/\/echoserver$/, (context) => echo(context, 8080)],
  [/\/echo-server$/, (context) => echo(context, 80)],
  [/\/whoami$/, (context) => echo(context, 80)],
  [/\/http-echo$/, httpEcho],
  [/\/hello-app$/, hello],
  [/\/hpa-example$/, () => new Map([[80, { http: () => textAnswer(200, 'OK!') }]])],
  [/\/goproxy$/, tcp(8080)],
  [/\/(mysql|mariadb)$/, tcp(3306)],
  [/\/postgres(ql)?$/, tcp(5432)],
  [/\/mongo$/, tcp(27_017)],
  [/\/memcached$/, tcp(11_211)],
  [/\/rabbitmq$/, tcp(5672)],
  [/\/cassandra$/, tcp(7000, 9042)],
  [/\/zookeeper$/, tcp(2181)],
  [/\/nats$/, tcp(4222)],
  [/\/kafka$/, tcp(9092)],
  [/\/(gb-frontend|wordpress|caddy)$/, web(80)],
  [/\/(tomcat|jenkins|jetty)$/, web(8080)],
  [/\/grafana$/, web(3000)],
  [/\/registry$/, web(5000)],
  [/\/prometheus$/, web(9090)],
  [/\/node-exporter$/, web(9100)],
  [/\/elasticsearch$/, web(9200)],
]

/**
 * What listens in a container whose command is not read: the servers of its image, if it is known; otherwise its declared
 * TCP ports, where every HTTP path answers 200 and gRPC health checks answer SERVING.
 */
export function serversOf(context: ServerContext): Servers {
  const name = fullImageName(context.image) ?? context.image
  const repository = name.replace(/(:[^/]*)?(@.*)?$/, '')
  const known = servers.find(([image]) => image.test(repository))
  if (known !== undefined) return known[1](context)
  const assumed: Listener = { http: () => textAnswer(200, ''), health: serving }
  return new Map(context.declaredPorts.map((port) => [port, assumed]))
}

/** The TCP ports in the kubelet's annotation of a container, `[{"containerPort":80,"protocol":"TCP"}]`. */
export function declaredPortsOf(annotation: string | undefined): readonly number[] {
  if (annotation === undefined) return []
  let ports: unknown
  try {
    ports = JSON.parse(annotation)
  } catch {
    return []
  }
  return (Array.isArray(ports) ? ports : []).flatMap((port) => {
    if (!isJsonObject(port) || !/^(TCP)?$/.test(textAt(port, 'protocol'))) return []
    return numberAt(port, 'containerPort') ?? []
  })
}

function echo({ hostname }: ServerContext, port: number): Servers {
  const http: Listener['http'] = ({ method, path, headers, from }) => {
    const lines = [
      `Hostname: ${hostname}`,
      `client_address=${from}`,
      `method=${method}`,
      `path=${path}`,
    ]
    return textAnswer(200, [...lines, ...headers.map((header) => header.join('='))].join('\n'))
  }
  return new Map([[port, { http }]])
}

function httpEcho(context: ServerContext): Servers {
  const text = flagOf(context, 'text') ?? 'hello-world'
  const port = Number(/:(\d+)$/.exec(flagOf(context, 'listen') ?? '')?.[1] ?? 5678)
  return new Map([[port, { http: () => textAnswer(200, `${text}\n`) }]])
}

function hello({ image, hostname }: ServerContext): Servers {
  const version = /:(\d[\d.]*)$/.exec(image)?.[1] ?? '1.0'
  const digits = `${version}.0.0`.split('.').slice(0, 3).join('.')
  const body = `Hello, world!\nVersion: ${digits}\nHostname: ${hostname}\n`
  return new Map([[8080, { http: () => textAnswer(200, body) }]])
}

function etcd(context: ServerContext): Servers {
  const urls = flagOf(context, 'listen-client-urls') ?? 'http://localhost:2379'
  const http: Listener['http'] = (request) =>
    pathOf(request) === '/health' || pathOf(request) === '/readyz'
      ? textAnswer(200, '{"health":"true"}')
      : textAnswer(404, '404 page not found\n')
  const ports = [...urls.matchAll(/:(\d+)/g)].map((match) => Number(match[1]))
  return new Map(ports.map((port) => [port, { http, health: serving }]))
}

/** `127.0.0.1 - - [01/Jan/2026:00:00:00 +0000] "GET / HTTP/1.1" 200 615` */
function accessLine({ from, method, path }: HttpRequest, answer: HttpAnswer, at: number): string {
  const [, day, month, year, time] =
    /^\w+, (\d+) (\w+) (\d+) ([\d:]+)/.exec(new Date(at).toUTCString()) ?? []
  const when = `${day}/${month}/${year}:${time} +0000`
  return `${from} - - [${when}] "${method} ${path} HTTP/1.1" ${answer.statusCode} ${answer.body.length}`
}

function agentOf({ headers }: HttpRequest): string {
  return headers.find(([name]) => name.toLowerCase() === 'user-agent')?.[1] ?? '-'
}

function errorPage(server: string): (statusCode: number) => HttpAnswer {
  return (statusCode) => {
    const title = `${statusCode} ${reasonOf(statusCode)}`
    const head = `<html>\r\n<head><title>${title}</title></head>\r\n`
    const body = `<body>\r\n<center><h1>${title}</h1></center>\r\n<hr><center>${server}</center>\r\n</body>\r\n</html>\r\n`
    return { statusCode, body: head + body, headers: [['Content-Type', 'text/html']] }
  }
}

/** nginx, with `listen`, `root` and locations that `return` of its configuration files. */
function nginx(context: ServerContext, defaultPort: number): Servers {
  const config = configOf(context.files())
  const root = /\n?\s*root\s+([^;\s]+);/.exec(config)?.[1] ?? '/usr/share/nginx/html'
  const returns = new Map(
    [
      ...config.matchAll(
        /location\s+(?:=\s*)?(\/\S*)\s*\{[^}]*\breturn\s+(\d{3})(?:\s+([^;]*))?;/g,
      ),
    ].map(([, path = '', code, text = '']) => [
      path,
      { code: Number(code), text: text.replace(/^(['"])([^]*)\1$/, '$2') },
    ]),
  )
  const http: Listener['http'] = (request) => {
    const fixed = returns.get(pathOf(request))
    const answer =
      fixed === undefined
        ? fileAnswer(context.files(), root, request, errorPage('nginx'))
        : returned(fixed)
    context.log(`${accessLine(request, answer, context.now())} "-" "${agentOf(request)}" "-"\n`)
    return answer
  }
  const ports = [...config.matchAll(/\blisten\s+(?:[^;\s]*:)?(\d+)\b/g)].map((match) =>
    Number(match[1]),
  )
  return new Map((ports.length === 0 ? [defaultPort] : ports).map((port) => [port, { http }]))
}

function returned({ code, text }: { readonly code: number; readonly text: string }): HttpAnswer {
  if (code >= 300 && code < 400)
    return { statusCode: code, body: '', headers: [['Location', text]] }
  return textAnswer(code, text.replaceAll(String.raw`\n`, '\n'))
}

/** Without comments. */
function configOf(tree: FileTree): string {
  const listed = tree.list('/etc/nginx/conf.d')
  const names = (listed.ok ? listed.value : []).filter((name) => name.endsWith('.conf'))
  const paths = ['/etc/nginx/nginx.conf', ...names.map((name) => `/etc/nginx/conf.d/${name}`)]
  const texts = paths.map((path) => {
    const found = tree.node(path)
    return found.ok && found.value.kind === 'file' ? textOf(found.value) : ''
  })
  return texts.join('\n').replaceAll(/#.*/g, '')
}

function apache(context: ServerContext): Servers {
  const http: Listener['http'] = (request) => {
    const root = '/usr/local/apache2/htdocs'
    const answer = fileAnswer(context.files(), root, request, errorPage('Apache'))
    context.log(`${accessLine(request, answer, context.now())}\n`)
    return answer
  }
  return new Map([[80, { http }]])
}
