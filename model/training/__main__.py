"""Command line: python -m training all|score|charlm|encoder|ablate|folds|speed|int8, from the folder model/.

A recipe is a TOML file; recipe.py lists its keys, README.md explains them.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import signal
import sys
import time
from pathlib import Path
from typing import NoReturn

from .checks import check_output, check_recipe, check_without
from .failure import Refused
from .recipe import MATERIAL_PARTS, NETWORK_PARTS, Recipe, load
from .work import work_folder

# Exit statuses, those of sysexits.
SETTINGS, STOPPED = 64, 130

# Commands, by what they use.
DEVICE = ("all", "charlm", "ablate", "folds")
THREADS = (*DEVICE, "window-lstm", "encoder")
TORCH = (*THREADS, "score", "teachers")


def log(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise Refused(f"{message}; {self.prog} --help tells what there is")


def parser() -> argparse.ArgumentParser:
    p = _Parser(prog="python -m training", description="Trains a model from a recipe.")
    commands = p.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        c = commands.add_parser(name, help=text, description=text)
        c.add_argument("recipe", type=Path, metavar="RECIPE", help="a TOML file, see recipes/")
        c.add_argument("--set", action="append", default=[], metavar="KEY=VALUE",
                       help="in place of what the recipe says, as training.epochs=6")  # fmt: skip
        c.add_argument("--work", type=Path, metavar="DIR",
                       help="where the notes lie meanwhile, kept at the end; without it, a "
                       "folder in OUTPUT-private, removed at the end")  # fmt: skip
        if name in DEVICE:
            c.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
        if name in THREADS:
            c.add_argument("--threads", type=int, default=1, help="more than one is often slower")
        c.set_defaults(device="cpu", threads=1)
        return c

    c = command("all", "train, write the model directory, and score it through ONNX Runtime")
    c.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    c = command("charlm", "train character language models, for recipes with the key context")
    c.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    command("linear", "train a feature CRF or a token SVM, and score it on dev")
    command("encoder", "train a tagger over a pretrained encoder, for recipes to name as a teacher")
    c = command("window-lstm", "train the sliding-window LSTM, and score it on dev")
    c.add_argument("--experiment", action="store_true",
                   help="train several, of other windows, into folders below the output")  # fmt: skip
    c = command("experiments", "train the models of the papers' experiments in small")
    c.add_argument("--groups", default="", metavar="NAME,NAME", help="some of them alone")
    command("teachers", "score what a recipe's teachers think on dev, each alone and all together")
    command("score", "score the model directory of a recipe, through ONNX Runtime")
    c = command("ablate", "train with each part left out, and print a table of dev scores")
    c.add_argument("--without", required=True, metavar="PART,PART",
                   help=f"any of {', '.join((*MATERIAL_PARTS, *NETWORK_PARTS))}")  # fmt: skip
    c.add_argument("--sizes", default="", metavar="N,N",
                   help="notes to train on: for the parts, then of the curve")  # fmt: skip
    c.add_argument("--to", type=Path, metavar="DIR", help="folder for ablation.csv and .svg")
    c = command("folds", "write what networks find in training notes they were not trained on")
    c.add_argument("--folds", type=int, default=4)
    c.add_argument("--to", type=Path, required=True, metavar="DIR", help="folder for notes.jsonl")
    c = commands.add_parser("speed", help="a token graph's speed beside one of random weights")
    c.add_argument("model", type=Path, metavar="DIR", help="a model directory")
    c = commands.add_parser("int8", help="make a model of 8-bit weights from a model directory")
    c.add_argument("model", type=Path, metavar="DIR", help="a model directory")
    c.add_argument(
        "output", type=Path, metavar="OUTPUT", help="folder to write; DIR-int8 as a rule"
    )
    c.add_argument("--measured", type=Path, metavar="FILE",
                   help="Markdown for the card, such as tools/precision writes")  # fmt: skip
    c.add_argument("--name", default="",
                   help="of a model that stands alone; without it DIR's, with -int8")  # fmt: skip
    c.add_argument("--full_range", action="store_true",
                   help="finer, but for processors with VNNI alone")  # fmt: skip
    return p


def run(args: argparse.Namespace) -> None:
    if args.command in ("speed", "int8") and not (args.model / "model.json").is_file():
        raise Refused(f"there is no model in {args.model}")
    if args.command == "int8":
        from .eight import make

        if args.output.resolve() == args.model.resolve():
            raise Refused("OUTPUT is DIR; name another folder")
        check_output(args.output)
        measured = args.measured.read_text(encoding="utf-8").strip() if args.measured else ""
        make(args.model, args.output, measured, args.full_range, args.name)
        return
    if args.command == "speed":
        from .commands import speed

        speed(args.model)
        return
    recipe = load(args.recipe, args.set)
    several = args.command == "experiments" or getattr(args, "experiment", False)
    dev = args.command not in ("linear", "window-lstm")
    check_recipe(recipe, dev, one=not several, command=args.command)
    if args.command == "ablate":
        check_without(args.without.split(","))
        _numbers(args.sizes)
    if args.threads < 1 or (args.command == "folds" and args.folds < 2):
        raise Refused("--threads must be at least 1, --folds at least 2")
    if args.device == "cuda":
        # Sums in one order, so that training repeats itself; read when CUDA starts.
        os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")
    if args.command in TORCH:
        import torch  # after all that can be refused without it, as it takes seconds

        if args.device == "cuda" and not torch.cuda.is_available():
            raise Refused("--device cuda: PyTorch finds no CUDA device, or is the CPU's own build")
        torch.set_num_threads(args.threads)
    _keep_memory()
    started = time.monotonic()
    with work_folder(args.work, recipe.output, getattr(args, "resume", False), log) as work:
        _command(args, recipe, work)
    log(f"{args.command}: {time.monotonic() - started:.0f} s")


def _command(args: argparse.Namespace, recipe: Recipe, work: Path) -> None:
    if args.command == "linear":
        from .linear_command import make_linear

        make_linear(recipe, work, log)
        return
    if args.command == "experiments":
        from .experiments import run as run_experiments

        run_experiments(recipe, work, [*filter(None, args.groups.split(","))], log)
        return
    if args.command == "charlm":
        from .charlm_command import make_language_models

        make_language_models(recipe, work, args.device, args.resume, log)
        return
    if args.command == "window-lstm":
        from .window_lstm_command import make_window_lstm, window_experiments

        (window_experiments if args.experiment else make_window_lstm)(recipe, work, log)
        return
    from . import commands

    bench = commands.Bench(recipe, work, args.device, log)
    match args.command:
        case "all":
            commands.make(bench, args.resume)
        case "score":
            commands.score(bench)
        case "teachers":
            commands.teachers(bench)
        case "ablate":
            commands.ablate(bench, args.without.split(","), _numbers(args.sizes), args.to)
        case "encoder":
            from .encoder_command import make_encoder

            make_encoder(bench)
        case "folds":
            commands.folds(bench, args.folds, args.to)


def _numbers(text: str) -> list[int]:
    try:
        numbers = [int(n) for n in filter(None, text.split(","))]
    except ValueError:
        numbers = [0]
    if any(n < 1 for n in numbers):
        raise Refused(f"--sizes {text}: give whole numbers of notes, divided by commas")
    return numbers


def _keep_memory() -> None:
    """Tells glibc to keep freed memory: giving 100 MB back at each step costs a third of the time."""
    try:
        libc = ctypes.CDLL("libc.so.6")
        libc.mallopt(-4, 0)  # M_MMAP_MAX
        libc.mallopt(-1, 2**31 - 1)  # M_TRIM_THRESHOLD
    except (OSError, AttributeError):
        pass  # another C library: slower, nothing else


def main() -> int:
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        run(parser().parse_args())
    except Refused as e:
        log(f"training: {e}")
        return SETTINGS
    except OSError as e:
        log(f"training: {e.filename or 'a file'}: {e.strerror or e}")
        return 1
    except KeyboardInterrupt:
        log("training: stopped")
        return STOPPED
    return 0


if __name__ == "__main__":
    sys.exit(main())
