import { describe, expect, it } from 'vitest'
import { proxyFromEnvironment } from './proxy-from-environment.ts'

// The cases of golang.org/x/net/http/httpproxy that a server's URL can have.
describe('the proxy of the environment', () => {
  const proxy = 'http://proxy:3128'
  it.each<readonly [string, Readonly<Record<string, string>>, string | undefined]>([
    ['https://api.example.com:6443', { HTTPS_PROXY: proxy }, proxy],
    ['https://api.example.com:6443', { https_proxy: 'proxy:3128' }, proxy],
    ['https://api.example.com:6443', { HTTP_PROXY: proxy }, undefined],
    ['http://api.example.com', { HTTP_PROXY: proxy }, proxy],
    ['https://127.0.0.1:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://localhost:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://[::1]:6443', { HTTPS_PROXY: proxy }, undefined],
    ['https://api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: '*' }, undefined],
    ['https://api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'example.com' }, undefined],
    ['https://example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'example.com' }, undefined],
    ['https://example.com', { HTTPS_PROXY: proxy, NO_PROXY: '.example.com' }, proxy],
    ['https://api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: '*.example.com' }, undefined],
    ['https://notexample.com', { HTTPS_PROXY: proxy, NO_PROXY: 'example.com' }, proxy],
    ['https://API.example.com', { HTTPS_PROXY: proxy, no_proxy: 'x, Example.COM' }, undefined],
    ['https://10.1.2.3:6443', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, undefined],
    ['https://11.1.2.3:6443', { HTTPS_PROXY: proxy, NO_PROXY: '10.0.0.0/8' }, proxy],
    ['https://10.1.2.3:6443', { HTTPS_PROXY: proxy, NO_PROXY: '10.1.2.3' }, undefined],
    ['https://10.1.2.3:6443', { HTTPS_PROXY: proxy, NO_PROXY: '10.1.2.3:6443' }, undefined],
    ['https://10.1.2.3:6443', { HTTPS_PROXY: proxy, NO_PROXY: '10.1.2.3:443' }, proxy],
    ['https://[fd00::5]:6443', { HTTPS_PROXY: proxy, NO_PROXY: 'fd00::/8' }, undefined],
    ['https://api.example.com', { HTTPS_PROXY: proxy, NO_PROXY: 'api.example.com:443' }, undefined],
    ['https://api.example.com', {}, undefined],
  ])('%s with %j', (server, environment, expected) => {
    expect(proxyFromEnvironment(server, environment)).toBe(expected)
  })
})
