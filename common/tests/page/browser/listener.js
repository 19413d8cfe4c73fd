// Runs before anything of the page, and keeps whatever goes wrong. check_page puts it into the page.
'use strict';

window.wrong = [];
window.addEventListener('error', event => window.wrong.push(`error: ${event.message}`));
window.addEventListener('unhandledrejection', event => window.wrong.push(`rejection: ${event.reason}`));
Object.assign(console, {error: (...words) => window.wrong.push(`console: ${words.join(' ')}`)});
