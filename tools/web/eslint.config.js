// What eslint looks for in the scripts of pages. They are plain scripts without modules, so that they share their global
// names; each says at its top which names of the others it uses (global) and which of its own are for others (exported).
'use strict';

const js = require('@eslint/js');
const globals = require('globals');

module.exports = [
  js.configs.recommended,
  {
    linterOptions: {reportUnusedDisableDirectives: 'error'},
    languageOptions: {
      ecmaVersion: 2022,
      sourceType: 'script',
      globals: globals.browser,
    },
    rules: {
      'array-callback-return': 'error',
      eqeqeq: 'error',
      'no-console': 'error',
      'no-eval': 'error',
      'no-implied-eval': 'error',
      'no-redeclare': ['error', {builtinGlobals: false}],
      'no-shadow': 'error',
      'no-unused-expressions': 'error',
      'no-use-before-define': ['error', {functions: false}],
      'no-var': 'error',
      'prefer-const': 'error',
      strict: ['error', 'global'],
    },
  },
  {
    files: ['tools/web/*.js'],
    languageOptions: {sourceType: 'commonjs', globals: globals.node},
  },
];
