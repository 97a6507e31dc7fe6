import { createReadStream } from 'node:fs'
import { readFile, readdir } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { extname, join, relative, sep } from 'node:path'

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
}

/** The policy of the page in a window, which does not allow a WebSocket; the header below replaces it. */
const windowPolicy = /<meta http-equiv="Content-Security-Policy"[^>]*>/

/** The page's policy: its own files, the WebSocket of this server, no frames. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self' ws://127.0.0.1:*",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const commonHeaders = {
  'content-security-policy': contentSecurityPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const

/** The files of the page, by URL path. */
export type StaticFiles = ReadonlyMap<string, string>

/** Lists the folder once; a path to any other file gets a 404. */
export async function findStaticFiles(folder: string): Promise<StaticFiles> {
  const files = new Map<string, string>()
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue
    const path = join(entry.parentPath, entry.name)
    files.set(`/${relative(folder, path).split(sep).join('/')}`, path)
  }
  const index = files.get('/index.html')
  if (index !== undefined) files.set('/', index)
  return files
}

/** Ends a response with one sentence. */
export function respondText(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, {
    ...commonHeaders,
    'content-type': 'text/plain; charset=utf-8',
    'cache-control': 'no-store',
  })
  response.end(`${sentence}\n`)
}

function pathOf(url: string): string | undefined {
  try {
    return decodeURIComponent(url.split('?')[0] ?? '')
  } catch {
    return undefined // broken percent-encoding names no file
  }
}

/** Serves one of the files, or an error. The host is already checked. */
export function serveStaticFile(
  files: StaticFiles,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    response.setHeader('allow', 'GET, HEAD')
    respondText(response, 405, 'Only GET and HEAD are served here.')
    return
  }
  const path = pathOf(request.url ?? '')
  const file = path === undefined ? undefined : files.get(path)
  if (path === undefined || file === undefined) {
    respondText(response, 404, 'File not found.')
    return
  }
  response.writeHead(200, {
    ...commonHeaders,
    'content-type': types[extname(file)] ?? 'application/octet-stream',
    // The build names the files in assets/ after their content.
    'cache-control': path.startsWith('/assets/') ? 'max-age=31536000, immutable' : 'no-store',
  })
  if (request.method === 'HEAD') {
    response.end()
    return
  }
  // A file that was removed after the start ends the response.
  if (extname(file) === '.html') {
    void readFile(file, 'utf8').then(
      (html) => response.end(html.replace(windowPolicy, '')),
      () => response.destroy(),
    )
    return
  }
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
}
