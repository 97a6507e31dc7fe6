import type { Result } from '../../../shared/result.ts'
import { err, ok } from '../../../shared/result.ts'

/** What the page's style sheets give the picture; a picture that stands alone must carry it itself. */
const carried = [
  'color',
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'opacity',
  'font-family',
  'font-size',
  'font-weight',
  'letter-spacing',
  'text-anchor',
  'text-decoration',
] as const

/** As attributes: the page's policy takes no style attribute that a script has written. */
function inline(from: Element, to: Element): void {
  const style = getComputedStyle(from)
  to.removeAttribute('class')
  to.removeAttribute('style')
  for (const name of carried) {
    const value = style.getPropertyValue(name)
    if (value !== '') to.setAttribute(name, value)
  }
  const copies = [...to.children]
  for (const [index, child] of [...from.children].entries()) {
    const copy = copies[index]
    if (copy !== undefined) inline(child, copy)
  }
}

async function dataUrl(url: string): Promise<string> {
  const bytes = new Uint8Array(await (await fetch(url)).arrayBuffer())
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return `data:font/woff2;base64,${btoa(text)}`
}

/** The page's own fonts as rules that carry them; empty where they cannot be read. */
async function carriedFonts(): Promise<string> {
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map((rule) => ({ rule, base: sheet.href })))
    .filter(({ rule }) => rule instanceof CSSFontFaceRule)
  const texts = await Promise.all(
    rules.map(async ({ rule, base }) => {
      const [whole, url] = /url\("?([^")]+)"?\)/.exec(rule.cssText) ?? []
      if (whole === undefined || url === undefined) return ''
      const font = await dataUrl(new URL(url, base ?? document.baseURI).href)
      return rule.cssText.replace(whole, `url(${font})`)
    }),
  )
  return texts.join('\n')
}

async function fontsOrNone(): Promise<string> {
  try {
    return await carriedFonts()
  } catch {
    // A picture in the reader's own fonts is still the picture.
    return ''
  }
}

/** The picture as an SVG document that needs no other file, in the theme that is shown. */
export function standaloneSvg(picture: SVGSVGElement, fonts: string): string {
  // A clone of an element is one of its kind; the DOM's types do not say so.
  const copy = picture.cloneNode(true) as SVGSVGElement
  inline(picture, copy)
  for (const moving of copy.querySelectorAll('[data-packet]')) moving.remove()
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const { width, height } = picture.viewBox.baseVal
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const ground = document.createElementNS('http://www.w3.org/2000/svg', 'rect')
  ground.setAttribute('width', '100%')
  ground.setAttribute('height', '100%')
  ground.setAttribute('fill', getComputedStyle(document.body).backgroundColor)
  copy.prepend(ground)
  if (fonts !== '') {
    const style = document.createElementNS('http://www.w3.org/2000/svg', 'style')
    style.textContent = fonts
    copy.prepend(style)
  }
  return new XMLSerializer().serializeToString(copy)
}

/** Twice the size, so that it stays sharp in a document. */
const pixelsPerUnit = 2

async function pngOf(svg: string): Promise<Blob | null> {
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * pixelsPerUnit
  canvas.height = image.naturalHeight * pixelsPerUnit
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
}

function download(svg: string, name: string): void {
  const link = document.createElement('a')
  link.href = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  link.download = name
  link.click()
}

async function toClipboard(svg: string): Promise<Result<null, 'refused'>> {
  try {
    const png = await pngOf(svg)
    if (png === null) return err('refused')
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
    return ok(null)
  } catch {
    // Not allowed, not focused, or no images on this clipboard: the caller downloads it.
    return err('refused')
  }
}

/** Puts the picture on the clipboard, or into a file where the clipboard takes none and the host lets a page download. */
export async function copyPicture(
  picture: SVGSVGElement,
  { mayDownload }: { readonly mayDownload: boolean },
): Promise<'copied' | 'downloaded' | 'refused'> {
  const svg = standaloneSvg(picture, await fontsOrNone())
  const copied = await toClipboard(svg)
  if (copied.ok) return 'copied'
  if (!mayDownload) return 'refused'
  download(svg, 'nodescope-flow.svg')
  return 'downloaded'
}
