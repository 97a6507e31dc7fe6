import type { Result } from '../../../shared/result.ts'
import { err, ok } from '../../../shared/result.ts'
import { download } from '../../ui/download.ts'

/** The styles that the page's style sheets give the picture; a copy without the page has them itself. */
const copiedStyles = [
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

/** As attributes: the page's content security policy blocks style attributes that a script has written. */
function copyStyles(from: Element, to: Element): void {
  const style = getComputedStyle(from)
  to.removeAttribute('class')
  to.removeAttribute('style')
  for (const name of copiedStyles) {
    const value = style.getPropertyValue(name)
    if (value !== '') to.setAttribute(name, value)
  }
  for (const [index, child] of [...from.children].entries()) {
    const copy = to.children[index]
    if (copy !== undefined) copyStyles(child, copy)
  }
}

/** The page's fonts as rules that contain them. */
async function fontRules(): Promise<string> {
  const rules = [...document.styleSheets]
    .flatMap((sheet) => [...sheet.cssRules].map((rule) => ({ rule, base: sheet.href })))
    .filter(({ rule }) => rule instanceof CSSFontFaceRule)
    .map(async ({ rule: { cssText }, base }) => {
      const [link, url] = /url\("?([^")]+)"?\)/.exec(cssText) ?? []
      if (link === undefined || url === undefined) return ''
      const font = await fetch(new URL(url, base ?? document.baseURI).href)
      let bytes = ''
      for (const byte of new Uint8Array(await font.arrayBuffer()))
        bytes += String.fromCharCode(byte)
      return cssText.replace(link, `url(data:font/woff2;base64,${btoa(bytes)})`)
    })
  return (await Promise.all(rules)).join('\n')
}

function svgElement(name: string, attributes: Readonly<Record<string, string>>): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  return element
}

/** The picture as an SVG document that needs no other file, in the current theme. */
export function standaloneSvg(picture: SVGSVGElement, fonts: string): string {
  // A clone of an element is one of its kind; the DOM's types do not say so.
  const copy = picture.cloneNode(true) as SVGSVGElement
  copyStyles(picture, copy)
  for (const moving of copy.querySelectorAll('[data-packet]')) moving.remove()
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  const { width, height } = picture.viewBox.baseVal
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  const fill = getComputedStyle(document.body).backgroundColor
  copy.prepend(svgElement('rect', { width: '100%', height: '100%', fill }))
  if (fonts !== '') {
    const style = svgElement('style', {})
    style.textContent = fonts
    copy.prepend(style)
  }
  return new XMLSerializer().serializeToString(copy)
}

/** Twice the size, so that it stays sharp in a document. */
const pixelsPerUnit = 2

async function pngOf(url: string): Promise<Blob | null> {
  const image = new Image()
  image.src = url
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = image.naturalWidth * pixelsPerUnit
  canvas.height = image.naturalHeight * pixelsPerUnit
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
  return new Promise((resolve) => {
    canvas.toBlob(resolve, 'image/png')
  })
}

async function toClipboard(url: string): Promise<Result<null, 'refused'>> {
  try {
    const png = await pngOf(url)
    if (png === null) return err('refused')
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
    return ok(null)
  } catch {
    // Not allowed, not focused, or no images on this clipboard: the caller downloads it.
    return err('refused')
  }
}

/** Copies the picture to the clipboard; downloads it if the clipboard takes no images and the host allows downloads. */
export async function copyPicture(
  picture: SVGSVGElement,
  { mayDownload }: { readonly mayDownload: boolean },
): Promise<'copied' | 'downloaded' | 'refused'> {
  // Without them the picture is drawn in the reader's own fonts.
  const fonts = await fontRules().catch(() => '')
  const svg = standaloneSvg(picture, fonts)
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`
  if ((await toClipboard(url)).ok) return 'copied'
  if (!mayDownload) return 'refused'
  download(url, 'nodescope-flow.svg')
  return 'downloaded'
}
