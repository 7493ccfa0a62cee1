"""Machine code of single functions: made by Numba, loaded with nothing but its LLVM library.

code = compile_entrance(function, call)     # bytes to keep
address_of(code)                            # in this process
"""

from __future__ import annotations

import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

from llvmlite import binding

if TYPE_CHECKING:
    from tokumei.kernels.stored_code import Call

_NAME = "tokumei_entrance"
_LOADED: list[Any] = []
_FROM_C = ("llvm.", "memset", "memcpy", "memmove", "exp", "log", "pow")
_DECLARED = re.compile(r'^declare ([^@\n]*@"?([\w.]+)"?\(.*)$', re.MULTILINE)
_ELSEWHERE = re.compile(
    r"^(@[\w.]+ = )external ((?:local_unnamed_addr )?global) (\S+).*$", re.MULTILINE
)


def compile_entrance(function: Any, call: Call) -> bytes:
    """An object file with a C function of the call's pointers."""
    numba: Any = import_module("numba")
    names: dict[str, Any] = {**call.tuples, "function": function, "carray": numba.carray}
    arrays = [f"array{n}" for n in range(len(call.arrays))]
    exec(f"def entrance({', '.join(['whole', 'real', *arrays])}):\n    {call.kind}\n", names)
    kinds = [numba.from_dtype(array.dtype) for array in call.arrays]
    pointers = [numba.types.CPointer(kind) for kind in (numba.int64, numba.float64, *kinds)]
    made = numba.cfunc(numba.void(*pointers), error_model="numpy")(names["entrance"])
    return _object_file(made.inspect_llvm(), made.native_name)


def address_of(code: bytes) -> int:
    """Load an object file for good; where its function is."""
    _start()
    engine = binding.create_mcjit_compiler(binding.parse_assembly(""), _machine())
    engine.add_object_file(binding.ObjectFileRef.from_data(code))
    engine.finalize_object()
    _LOADED.append(engine)
    return int(engine.get_function_address(_NAME))


def _object_file(text: str, name: str) -> bytes:
    """Numba's text as machine code that needs nothing of Numba.

    Only a raised error would lead there, and there is none: these ways are cut off.
    """
    text = (
        _DECLARED.sub(_cut_off, text).replace(f'"{name}"', _NAME).replace(f"@{name}(", f"@{_NAME}(")
    )
    text = _ELSEWHERE.sub(r"\1internal \2 \3 zeroinitializer", text)
    if "declare void @llvm.trap()" not in text:
        text += "\ndeclare void @llvm.trap()\n"
    _start()
    module = binding.parse_assembly(text)
    module.verify()
    return bytes(_machine().emit_object(module))


def _cut_off(found: re.Match[str]) -> str:
    if found[2].startswith(_FROM_C):
        return found[0]
    return f"define internal {found[1]} {{\n  call void @llvm.trap()\n  unreachable\n}}"


def _start() -> None:
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()


def _machine() -> Any:
    target = binding.Target.from_triple(binding.get_process_triple())
    static = "static" if target.name.startswith("x86") else "default"
    return target.create_target_machine(
        cpu=binding.get_host_cpu_name(),
        features=binding.get_host_cpu_features().flatten(),
        opt=3,
        reloc=static,
        codemodel="jitdefault",
        jit=True,
    )
