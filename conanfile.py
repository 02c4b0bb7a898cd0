"""The recipe of Conan 2: `conan create .` builds eddy and a program with it. docs/guide/installing.md has more."""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.cmake import CMake, CMakeToolchain
from conan.tools.files import copy, load

PARTS = {"http": True, "http2": True, "rpc": False, "etcd": False, "curl": False, "pq": False, "redis": False}


class Eddy(ConanFile):
    name = "eddy"
    description = "Asynchronous I/O in C++23 coroutines"
    license = "MIT"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], **{part: [True, False] for part in PARTS}}
    default_options = {"shared": False, **PARTS}
    exports_sources = ("CMakeLists.txt", "LICENSE", "apps/protoc_gen_eddy/*", "cmake/*", "include/*", "packaging/*", "src/*")
    generators = ("CMakeDeps", "PkgConfigDeps")
    test_package_folder = "packaging/conan/test_package"

    def set_version(self):
        project = load(self, os.path.join(self.recipe_folder, "CMakeLists.txt"))
        self.version = re.search(r"project\(eddy VERSION (\S+)", project)[1]

    def configure(self):
        # A part without what it stands on is no option.
        if not self.options.http:
            self.options.rm_safe("http2")
        if not self.options.get_safe("http2"):
            self.options.rm_safe("rpc")
        if not self.options.get_safe("rpc"):
            self.options.rm_safe("etcd")

    def validate(self):
        if self.settings.os != "Linux":
            raise ConanInvalidConfiguration("eddy runs on Linux")

    def requirements(self):
        self.requires("liburing/[>=2.3]")
        if self.options.http or self.options.redis:
            self.requires("openssl/[>=3.0]")
        if self.options.http:
            self.requires("zlib/[>=1.2.13]")
            self.requires("brotli/[>=1.0.9]")
        if self.options.get_safe("http2"):
            self.requires("libnghttp2/[>=1.52]")
        if self.options.get_safe("rpc"):
            self.requires("protobuf/[>=3.21]")
            self.requires("nlohmann_json/[>=3.11]", visible=False)
        if self.options.curl:
            self.requires("libcurl/[>=7.87]")
        if self.options.pq:
            self.requires("libpq/[>=15]")
        if self.options.redis:
            self.requires("hiredis/[>=0.14]")

    def generate(self):
        toolchain = CMakeToolchain(self)
        for part in PARTS:
            toolchain.cache_variables[f"EDDY_BUILD_{part.upper()}"] = bool(self.options.get_safe(part))
        toolchain.cache_variables["EDDY_BUILD_PROTOBUF"] = bool(self.options.get_safe("rpc"))
        for what in ("APPS", "EXAMPLES", "TESTS"):
            toolchain.cache_variables[f"EDDY_BUILD_{what}"] = False
        # Each library is compiled as one source, which takes a fifth of the time.
        toolchain.cache_variables["CMAKE_UNITY_BUILD"] = True
        toolchain.cache_variables["CMAKE_UNITY_BUILD_BATCH_SIZE"] = "0"
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build(target="eddy_libraries")

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # Programs use what eddy itself installs for CMake and pkg-config, which says what each part needs.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = ["lib/cmake/eddy"]
        self.cpp_info.libs = []
