/**
 * Names that are there without anybody in the project having made them: Python's standard library, what browsers and
 * libraries put into every page, and what every object and function has. Lists, so that no machine answers differently.
 */

export const stdlibNames = words(`
  abc aifc antigravity argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect
  builtins bz2 cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall
  concurrent configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm
  decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler fcntl filecmp fileinput
  fnmatch fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip hashlib heapq hmac
  html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache
  locale logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc
  nis nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle pickletools
  pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd py_compile pyclbr pydoc
  pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy sched secrets select
  selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
  sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symtable sys sysconfig
  syslog tabnanny tarfile telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize
  tomllib trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib uu uuid venv
  warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo
`);

export const browserNames = words(`
  AbortController AbortSignal Array ArrayBuffer Atomics Attr Audio AudioBuffer AudioContext AudioNode BigInt
  BigInt64Array BigUint64Array Blob Boolean BroadcastChannel CSS CSSRule CSSStyleDeclaration CSSStyleSheet Cache
  CanvasGradient CanvasPattern CanvasRenderingContext2D CharacterData ClipboardEvent ClipboardItem CloseEvent
  Comment CompositionEvent CompressionStream Crypto CryptoKey CustomElementRegistry CustomEvent DOMException
  DOMImplementation DOMMatrix DOMParser DOMPoint DOMRect DOMStringMap DOMTokenList DataTransfer DataView Date
  DecompressionStream DeviceMotionEvent DeviceOrientationEvent Document DocumentFragment DragEvent Element Error
  ErrorEvent EvalError Event EventSource EventTarget File FileList FileReader FinalizationRegistry Float32Array
  Float64Array FocusEvent FontFace FormData Function GainNode Gamepad GamepadEvent Geolocation HTMLAnchorElement
  HTMLAudioElement HTMLBodyElement HTMLButtonElement HTMLCanvasElement HTMLCollection HTMLDivElement HTMLDocument
  HTMLElement HTMLFormElement HTMLIFrameElement HTMLImageElement HTMLInputElement HTMLLIElement HTMLLabelElement
  HTMLLinkElement HTMLOptionElement HTMLScriptElement HTMLSelectElement HTMLSpanElement HTMLStyleElement
  HTMLTableElement HTMLTemplateElement HTMLTextAreaElement HTMLVideoElement HashChangeEvent Headers History
  IDBDatabase IDBFactory IDBKeyRange IDBObjectStore IDBRequest IDBTransaction Image ImageBitmap ImageData Infinity
  InputEvent Int16Array Int32Array Int8Array IntersectionObserver Intl Iterator JSON KeyboardEvent Location Map Math
  MediaQueryList MediaRecorder MediaSource MediaStream MessageChannel MessageEvent MessagePort MouseEvent
  MutationObserver MutationRecord NaN NamedNodeMap Navigator Node NodeFilter NodeIterator NodeList Notification
  Number Object OffscreenCanvas Option OscillatorNode PageTransitionEvent Path2D Performance PerformanceObserver
  PointerEvent PopStateEvent ProgressEvent Promise PromiseRejectionEvent Proxy PushManager RTCPeerConnection Range
  RangeError ReadableStream ReferenceError Reflect RegExp Request ResizeObserver Response SVGElement Screen
  Selection ServiceWorker Set ShadowRoot SharedArrayBuffer SharedWorker SpeechRecognition SpeechSynthesis
  SpeechSynthesisUtterance Storage StorageEvent String SubmitEvent Symbol SyntaxError Text TextDecoder TextEncoder
  TextMetrics Touch TouchEvent TouchList TransformStream TransitionEvent TreeWalker TypeError UIEvent URIError URL
  URLSearchParams Uint16Array Uint32Array Uint8Array Uint8ClampedArray ValidityState WeakMap WeakRef WeakSet
  WebAssembly WebGL2RenderingContext WebGLRenderingContext WebSocket WheelEvent Window Worker WritableStream
  XMLDocument XMLHttpRequest XMLSerializer XPathResult addEventListener alert arguments atob blur btoa caches
  cancelAnimationFrame cancelIdleCallback clearInterval clearTimeout close closed confirm console cookieStore
  createImageBitmap crypto customElements decodeURI decodeURIComponent define devicePixelRatio dispatchEvent
  document encodeURI encodeURIComponent escape eval event exports external fetch find focus frameElement frames
  getComputedStyle getSelection global globalThis history indexedDB innerHeight innerWidth isFinite isNaN
  isSecureContext length localStorage location locationbar matchMedia menubar module moveBy moveTo name navigation
  navigator onblur onclick onerror onfocus onhashchange onkeydown onkeyup onload onmessage onpopstate onresize
  onscroll onunload open opener origin outerHeight outerWidth pageXOffset pageYOffset parent parseFloat parseInt
  performance postMessage print process prompt queueMicrotask removeEventListener reportError requestAnimationFrame
  requestIdleCallback require resizeBy resizeTo screen screenLeft screenTop screenX screenY scroll scrollBy scrollTo
  scrollX scrollY scrollbars self sessionStorage setInterval setTimeout speechSynthesis status stop structuredClone
  styleMedia toolbar top undefined unescape visualViewport window
`);

/** What a script from elsewhere may well have defined. */
export const libraryNames = words(`
  $ jQuery _ React ReactDOM Vue angular d3 L THREE moment axios bootstrap Chart Phaser PIXI p5 gsap io firebase
  google ga gtag dataLayer Backbone Handlebars Mustache Alpine htmx dayjs luxon Swal Stripe YT FB Quill CodeMirror
  monaco marked hljs Prism Papa XLSX Howl Howler Matter CANNON tf Plotly echarts Highcharts mapboxgl maplibregl
  Sortable flatpickr Swiper anime toastr feather lucide tailwind Vuex VueRouter ko m Ember Babylon BABYLON
`);

export const inheritedNames = words(`
  constructor hasOwnProperty isPrototypeOf propertyIsEnumerable toLocaleString toString valueOf __proto__
  __defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ apply bind call prototype name length caller
  arguments
`);

function words(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/));
}
