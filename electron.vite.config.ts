import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'
import { handbook } from './scripts/handbook/plugin.ts'

// Of the window, which reaches the program through its preload script. The web host sends one of its own in its place.
const strictCsp =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'"

// Vite injects <style> elements while developing, which a strict policy would refuse.
function contentSecurityPolicy(): Plugin {
  return {
    name: 'content-security-policy',
    apply: 'build',
    transformIndexHtml: (html) =>
      html.replace(
        '<head>',
        `<head>\n    <meta http-equiv="Content-Security-Policy" content="${strictCsp}" />`,
      ),
  }
}

export default defineConfig({
  main: {
    build: {
      // Bundled, the program starts four times as fast as with external dependencies.
      externalizeDeps: false,
      // electron-vite's own target table stops below Electron 45, and the web host runs on Node 20.
      target: 'node20.19',
      rolldownOptions: {
        input: {
          index: resolve('src/main/host/electron/index.ts'),
          host: resolve('src/main/host/web/index.ts'),
          parser: resolve('src/main/parsing/parser-program.ts'),
        },
        // A package with binaries stays outside of the bundle.
        external: ['electron', 'classic-level'],
      },
    },
  },
  preload: {
    build: {
      externalizeDeps: false,
      rolldownOptions: {
        input: { index: resolve('src/preload/index.ts') },
        // A sandboxed preload must be CommonJS.
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    root: 'src/renderer',
    base: './',
    // electron-vite leaves it off, since a window loads from disk; a browser loads from us.
    build: {
      minify: true,
      rolldownOptions: { input: { index: resolve('src/renderer/index.html') } },
    },
    plugins: [react(), handbook(resolve('docs/kubelet')), contentSecurityPolicy()],
  },
})
