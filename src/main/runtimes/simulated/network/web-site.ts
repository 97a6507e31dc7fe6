import { cleanPath } from '../files/working-folder.ts'
import { textOf } from '../files/file-node.ts'
import type { FileTree } from '../files/file-tree.ts'
import type { HttpAnswer, HttpRequest } from './listener.ts'

const reasons: Readonly<Record<number, string>> = {
  200: 'OK',
  204: 'No Content',
  301: 'Moved Permanently',
  302: 'Found',
  400: 'Bad Request',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'Not Found',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
}

/** The text after a status code. */
export function reasonOf(statusCode: number): string {
  return reasons[statusCode] ?? 'Unknown'
}

/** An answer with plain text. */
export function textAnswer(statusCode: number, body: string): HttpAnswer {
  return { statusCode, body, headers: [['Content-Type', 'text/plain; charset=utf-8']] }
}

export function pathOf({ path }: Pick<HttpRequest, 'path'>): string {
  const [bare = ''] = path.split('?')
  try {
    return decodeURIComponent(bare)
  } catch {
    return bare
  }
}

/** A file below a folder, or what `failure` says: 403 for a folder without index.html, 404 for a missing file. */
export function fileAnswer(
  tree: FileTree,
  root: string,
  request: HttpRequest,
  failure: (statusCode: number) => HttpAnswer,
): HttpAnswer {
  const path = `${root}${cleanPath(pathOf(request))}`
  const found = tree.node(path)
  if (!found.ok) return failure(404)
  const isFolder = found.value.kind === 'folder'
  const file = isFolder ? tree.node(`${path}/index.html`) : found
  if (!file.ok || file.value.kind !== 'file') return failure(isFolder ? 403 : 404)
  const type = isFolder || /\.html?$/.test(path) ? 'text/html' : 'text/plain'
  return { statusCode: 200, body: textOf(file.value), headers: [['Content-Type', type]] }
}
