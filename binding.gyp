{
  'targets': [
    {
      'target_name': 'vct',
      'dependencies': [
        "<!(node -p \"require('node-addon-api').targets\"):node_addon_api_except",
      ],
      # The same pattern as in CMakeLists.txt: a new file of the core is in both builds or in none.
      'sources': [
        'native/addon.cc',
        "<!@(node -p \"require('fs').readdirSync('native/core').filter((name) => name.endsWith('.cc')).sort().map((name) => 'native/core/' + name).join(' ')\")",
      ],
      'defines': ['NAPI_VERSION=8'],
      'cflags!': ['-std=gnu++17'],
      'cflags_cc!': ['-std=gnu++17', '-fno-rtti', '-fno-exceptions'],
      'cflags_cc': ['-std=c++20', '-O3', '-Wall', '-Wextra', '-Werror', '-fvisibility=hidden', '-fexceptions'],
      'conditions': [
        ['OS=="linux"', {'ldflags': ['-static-libstdc++', '-static-libgcc', '-Wl,--version-script=<(module_root_dir)/native/exports.map']}],
        ['OS=="mac"', {
          'xcode_settings': {
            'CLANG_CXX_LANGUAGE_STANDARD': 'c++20',
            'GCC_ENABLE_CPP_EXCEPTIONS': 'YES',
            'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
            'MACOSX_DEPLOYMENT_TARGET': '11.0',
          },
        }],
        ['OS=="win"', {
          'msvs_settings': {'VCCLCompilerTool': {'ExceptionHandling': 1, 'AdditionalOptions': ['/std:c++20']}},
        }],
      ],
    },
  ],
}
