"""Schemas by seed: a model that documents and values can be made for, and its SDL."""
from dataclasses import dataclass, field

BUILT_IN = ["Int", "Float", "String", "Boolean", "ID"]


@dataclass
class Type:
    """A use of a type: `kind` is N(amed), L(ist of) or ! (non-null)."""
    kind: str
    of: object

    @property
    def name(self):
        return self.of if self.kind == "N" else self.of.name

    @property
    def is_non_null(self):
        return self.kind == "!"

    def __str__(self):
        return {"N": str(self.of), "L": f"[{self.of}]", "!": f"{self.of}!"}[self.kind]


@dataclass
class Argument:
    type: Type
    default: object = None  # the literal's text
    deprecated: bool = False

    @property
    def is_required(self):
        return self.type.is_non_null and self.default is None


@dataclass
class Field:
    type: Type
    arguments: dict = field(default_factory=dict)


@dataclass
class Model:
    enums: dict = field(default_factory=dict)
    scalars: list = field(default_factory=list)
    inputs: dict = field(default_factory=dict)      # name: (fields, is one-of)
    interfaces: dict = field(default_factory=dict)  # name: (fields, interfaces)
    objects: dict = field(default_factory=dict)     # name: (fields, interfaces)
    unions: dict = field(default_factory=dict)
    directives: dict = field(default_factory=dict)  # name: (arguments, locations, repeatable)
    embedded: list = field(default_factory=list)

    def fields(self, name):
        if name in self.objects:
            return self.objects[name][0]
        return self.interfaces[name][0] if name in self.interfaces else {}

    def possible(self, name):
        if name in self.objects:
            return [name]
        if name in self.unions:
            return self.unions[name]
        return [n for n, (_, faces) in self.objects.items() if name in faces]

    def is_leaf(self, name):
        return name in BUILT_IN or name in self.enums or name in self.scalars

    def composites(self):
        return [*self.objects, *self.interfaces, *self.unions]


class Maker:
    def __init__(self, random):
        self.random = random
        self.model = Model()

    def wrapped(self, name, depth=0):
        """The type in lists and non-nulls."""
        r = self.random.random()
        made = Type("N", name)
        if depth < 2 and r < (0.3 if depth == 0 else 0.2):
            made = Type("L", self.wrapped(name, depth + 1))
        return Type("!", made) if self.random.random() < 0.35 else made

    def literal(self, type, depth=0):
        """A valid constant's text."""
        pick, model = self.random, self.model
        if type.kind == "!":
            return self.literal(type.of, depth) if type.of.kind != "N" or True else None
        if type.kind == "L":
            if pick.random() < 0.15:
                return self.literal(type.of, depth)
            return "[" + ", ".join(
                self.literal(type.of, depth) for _ in range(pick.randint(0, 2))) + "]"
        name = type.of
        if name == "Int":
            return str(pick.choice([0, 1, -7, 2147483647, -2147483648]))
        if name == "Float":
            return pick.choice(["0.5", "-2", "1e3", "12.25"])
        if name == "Boolean":
            return pick.choice(["true", "false"])
        if name == "ID":
            return pick.choice(["7", '"seven"'])
        if name in model.enums:
            return pick.choice(model.enums[name])
        if name in model.inputs:
            return self.object_literal(name, depth)
        if name in model.scalars:
            return pick.choice(['"s"', "3", "true", "{a: 1}", "[1, 2]"])
        return pick.choice(['"a"', '"b\\n"', '"""block"""', '""'])

    def object_literal(self, name, depth, value=None):
        fields, is_one_of = self.model.inputs[name]
        value = value or (lambda one: self.literal(one.type, depth + 1))
        if is_one_of:
            one = self.random.choice(list(fields))
            return "{" + f"{one}: {value(Argument(Type('!', fields[one].type)))}" + "}"
        given = [
            f"{key}: {value(one)}" for key, one in fields.items()
            if one.is_required or (depth < 2 and self.random.random() < 0.5)]
        return "{" + ", ".join(given) + "}"

    def arguments(self, most=3):
        model, made = self.model, {}
        names = BUILT_IN + list(model.enums) + list(model.scalars) + list(model.inputs)
        for index in range(self.random.choice([0, 0, 1, 1, 2, most])):
            type = self.wrapped(self.random.choice(names))
            default = self.literal(type) if self.random.random() < 0.3 else None
            one = Argument(type, default)
            one.deprecated = not one.is_required and self.random.random() < 0.1
            made[f"a{index}"] = one
        return made

    def make(self):
        pick, model = self.random, self.model
        for index in range(pick.randint(1, 2)):
            model.enums[f"E{index}"] = [f"V{n}" for n in range(pick.randint(1, 4))]
        model.scalars = [f"S{n}" for n in range(pick.randint(0, 1))]
        for index in range(pick.randint(0, 3)):
            self.make_input(f"In{index}", pick.random() < 0.35)
        for index in range(pick.randint(0, 2)):
            model.directives[f"d{index}"] = (
                self.arguments(1),
                pick.sample(["FIELD", "QUERY", "FRAGMENT_SPREAD", "INLINE_FRAGMENT",
                             "FRAGMENT_DEFINITION", "VARIABLE_DEFINITION", "MUTATION",
                             "SUBSCRIPTION"], pick.randint(1, 4)), pick.random() < 0.3)
        names = [f"T{n}" for n in range(pick.randint(2, 5))]
        model.embedded = [f"M{n}" for n in range(pick.randint(0, 2))]
        faces = [f"I{n}" for n in range(pick.randint(0, 2))]
        model.unions = {f"U{n}": [] for n in range(pick.randint(0, 2))}
        targets = names + model.embedded + faces + list(model.unions)
        for index, name in enumerate(model.embedded):
            model.objects[name] = (self.fields(model.embedded[:index], False), [])
        for index, name in enumerate(faces):
            above = faces[:index] if pick.random() < 0.5 else []
            own = self.fields(targets, True, 2)
            for face in above:
                own = {**own, **model.interfaces[face][0]}
            model.interfaces[name] = (own, above)
        for name in names:
            chosen = [face for face in faces if pick.random() < 0.6]
            for face in list(chosen):
                chosen += [f for f in model.interfaces[face][1] if f not in chosen]
            fields = self.fields(targets, True)
            for face in chosen:
                fields = {**fields, **model.interfaces[face][0]}
            model.objects[name] = (fields, chosen)
        for face in faces:  # each has somebody who implements it
            if not model.possible(face):
                fields, chosen = model.objects[names[0]]
                more = [f for f in [face, *model.interfaces[face][1]] if f not in chosen]
                for one in more:
                    fields.update(model.interfaces[one][0])
                chosen.extend(more)
        self.agree(names)
        for union in model.unions:
            members = names + model.embedded
            model.unions[union] = pick.sample(members, pick.randint(1, min(3, len(members))))
        model.objects["Query"] = (self.fields(targets, True, 4), [])
        if pick.random() < 0.5:
            model.objects["Mutation"] = (self.fields(targets, True, 2), [])
        if pick.random() < 0.5:
            model.objects["Subscription"] = (self.fields(targets, True, 2), [])
        return model

    def agree(self, names):
        """Fields of one name must suit all interfaces of a type: the last one's is everybody's."""
        model = self.model
        for _ in range(4):
            for name in [*model.interfaces, *names]:
                fields, chosen = model.interfaces.get(name) or model.objects[name]
                for face in chosen:
                    for key, one in model.interfaces[face][0].items():
                        fields[key] = one
                        for other in chosen:
                            if key in model.interfaces[other][0]:
                                model.interfaces[other][0][key] = one

    def make_input(self, name, is_one_of):
        names = BUILT_IN + list(self.model.enums) + list(self.model.inputs)
        fields = {}
        for index in range(self.random.randint(1, 4)):
            if is_one_of:
                fields[f"k{index}"] = Argument(Type("N", self.random.choice(names)))
            else:
                type = self.wrapped(self.random.choice(names))
                default = self.literal(type) if self.random.random() < 0.25 else None
                fields[f"k{index}"] = Argument(type, default)
        if not is_one_of and self.random.random() < 0.3:
            fields["self"] = Argument(Type("N", name))
        self.model.inputs[name] = (fields, is_one_of)

    def fields(self, targets, has_arguments, most=4):
        made = {}
        leaves = BUILT_IN + list(self.model.enums) + self.model.scalars
        for _ in range(self.random.randint(1, most)):
            index = self.random.randint(0, 6)
            is_leaf = not targets or self.random.random() < 0.5
            name = self.random.choice(leaves if is_leaf else targets)
            made[f"f{index}"] = Field(
                self.wrapped(name), self.arguments() if has_arguments else {})
        return made


def sdl(model):
    def value(name, one):
        return (f"{name}: {one.type}" + (f" = {one.default}" if one.default is not None else "")
                + (" @deprecated" if one.deprecated else ""))

    def group(arguments):
        return f"({', '.join(value(*a) for a in arguments.items())})" if arguments else ""

    lines = [f"scalar {name}" for name in model.scalars]
    lines += [f"enum {n} {{ {' '.join(values)} }}" for n, values in model.enums.items()]
    for name, (fields, is_one_of) in model.inputs.items():
        body = " ".join(value(*f) for f in fields.items())
        lines.append(f"input {name}{' @oneOf' if is_one_of else ''} {{ {body} }}")
    for name, (arguments, locations, repeats) in model.directives.items():
        lines.append(f"directive @{name}{group(arguments)}{' repeatable' if repeats else ''} on "
                     + " | ".join(locations))
    for word, kinds in (("interface", model.interfaces), ("type", model.objects)):
        for name, (fields, faces) in kinds.items():
            joined = f" implements {' & '.join(faces)}" if faces else ""
            lines.append(f"{word} {name}{joined} {{")
            lines += [f"  {f}{group(one.arguments)}: {one.type}" for f, one in fields.items()]
            lines.append("}")
    lines += [f"union {n} = {' | '.join(members)}" for n, members in model.unions.items()]
    return "\n".join(lines)
