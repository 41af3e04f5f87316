"""Documents and variables for a schema: valid by construction, then perhaps broken."""
import re

from schemas import BUILT_IN, Argument, Type

TOKEN = re.compile(
    r'"""(?:[^"\\]|\\.)*?"""|"(?:[^"\\\n]|\\.)*"|\.\.\.|[_A-Za-z][_0-9A-Za-z]*'
    r'|-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?|[!$&()\[\]{}:=@|]|\s+|,|#.*')


class Writer:
    def __init__(self, maker):
        self.maker, self.model, self.random = maker, maker.model, maker.random

    def document(self):
        """A valid document and variables that suit it."""
        pick = self.random
        kinds = ["query"] * 4 + ["mutation"] * ("Mutation" in self.model.objects) \
            + ["subscription"] * ("Subscription" in self.model.objects)
        self.fragments, self.counter = {}, 0
        operations, self.values = [], {}
        count = pick.choice([1, 1, 1, 1, 2])
        names = []
        for index in range(count):
            kind = pick.choice(kinds)
            self.variables = {}
            body = self.root(kind)
            # Fragments are filled with what one operation may use; another has its own.
            name = f"O{index}" if count > 1 or pick.random() < 0.5 else ""
            names.append(name)
            head = "" if kind == "query" and not name and not self.variables and (
                pick.random() < 0.5) else f"{kind} {name}{self.definitions()}"
            if head and pick.random() < 0.1:
                head = '"""what it does"""\n' + head
            operations.append(head + self.use_directives(kind.upper()) * bool(head) + body)
        parts = operations + [
            f"fragment {name} on {type}{self.use_directives('FRAGMENT_DEFINITION')} {body}"
            for name, (type, body) in self.fragments.items()]
        pick.shuffle(parts)
        chosen = pick.choice(names) if count > 1 else None
        return "\n".join(parts), chosen or None, self.values

    def definitions(self):
        if not self.variables:
            return ""
        return "(" + ", ".join(
            f"${name}: {one.type}" + (f" = {one.default}" if one.default is not None else "")
            + self.use_directives("VARIABLE_DEFINITION", is_constant=True)
            for name, one in self.variables.items()) + ")"

    def root(self, kind):
        if kind == "subscription":
            name = self.random.choice(list(self.model.fields("Subscription")))
            return "{ " + self.field("Subscription", name, 2, can_skip=False) + " }"
        return self.selections(kind.capitalize(), self.random.randint(1, 3))

    def selections(self, type, depth):
        pick, model = self.random, self.model
        parts = []
        fields = list(model.fields(type))
        for _ in range(pick.randint(1, 3)):
            r = pick.random()
            if r < 0.1 or (not fields and r < 0.5):
                parts.append(self.alias() + "__typename")
            elif r < 0.2:
                parts.append(f"... {self.use_directives('INLINE_FRAGMENT')}"
                             + self.selections(type, depth - 1)
                             if depth > 0 else "__typename")
            elif r < 0.35 and depth > 0:
                parts.append(self.fragment(type, depth))
            elif fields:
                name = pick.choice(fields)
                text = self.field(type, name, depth)
                parts.append(text)
                if pick.random() < 0.05:
                    parts.append(text)
            else:
                parts.append(self.fragment(type, depth) if depth > 0 else "__typename")
        if type == "Query" and pick.random() < 0.05:
            parts.append('__type(name: "Query") { name kind fields { name type { kind name } } }')
        if type == "Query" and pick.random() < 0.03:
            parts.append("__schema { queryType { name } directives { name isRepeatable } "
                         "types { name kind isOneOf enumValues { name } inputFields { name "
                         "defaultValue } possibleTypes { name } interfaces { name } } }")
        return "{ " + " ".join(parts) + " }"

    def fragment(self, type, depth):
        pick, model = self.random, self.model
        mine = set(model.possible(type))
        near = [name for name in model.composites() if mine & set(model.possible(name))]
        target = pick.choice(near)
        if pick.random() < 0.5:
            return (f"... on {target}{self.use_directives('INLINE_FRAGMENT')} "
                    + self.selections(target, depth - 1))
        self.counter += 1
        name = f"F{self.counter}"
        body = self.selections(target, depth - 1)
        self.fragments[name] = (target, body)
        return f"...{name}" + self.use_directives("FRAGMENT_SPREAD")

    def alias(self):
        self.counter += 1
        return f"x{self.counter}: "

    def field(self, type, name, depth, can_skip=True):
        field = self.model.fields(type)[name]
        given = []
        for key, one in field.arguments.items():
            if one.is_required or self.random.random() < 0.5:
                given.append(f"{key}: {self.value(one)}")
        self.random.shuffle(given)
        text = self.alias() + name + (f"({', '.join(given)})" if given else "")
        text += self.use_directives("FIELD", can_skip)
        target = field.type.name
        if not self.model.is_leaf(target):
            text += " " + (self.selections(target, depth - 1) if depth > 0 else "{ __typename }")
        return text

    def value(self, one, depth=0):
        """A literal, perhaps with variables, or a variable."""
        pick = self.random
        if pick.random() < 0.3:
            return self.variable(one)
        if not one.type.is_non_null and pick.random() < 0.1:
            return "null"
        named = one.type.of if one.type.kind == "!" else one.type
        if named.kind == "N" and named.of in self.model.inputs:
            return self.maker.object_literal(
                named.of, depth, lambda inner: self.value(inner, depth + 1))
        return self.maker.literal(one.type)

    def variable(self, one):
        pick = self.random
        self.counter += 1
        name = f"v{self.counter}"
        type = one.type
        default = None
        if type.is_non_null and pick.random() < 0.3:
            type, default = type.of, self.maker.literal(type)
        elif not type.is_non_null and pick.random() < 0.3:
            type = Type("!", type)
        if default is None and pick.random() < 0.2:
            default = self.maker.literal(type)
        self.variables[name] = Argument(type, default)
        if type.is_non_null and default is None or pick.random() < 0.7:
            self.values[name] = self.json(type)
        return f"${name}"

    def use_directives(self, location, can_skip=True, is_constant=False):
        pick, text = self.random, ""
        if can_skip and location in ("FIELD", "FRAGMENT_SPREAD", "INLINE_FRAGMENT") \
                and pick.random() < 0.08:
            condition = Argument(Type("!", Type("N", "Boolean")))
            text += f" @{pick.choice(['skip', 'include'])}(if: {self.value(condition)})"
        for name, (arguments, locations, _) in self.model.directives.items():
            if location in locations and pick.random() < 0.1:
                given = [f"{key}: {self.maker.literal(a.type) if is_constant else self.value(a)}"
                         for key, a in arguments.items() if a.is_required or pick.random() < 0.4]
                text += f" @{name}" + (f"({', '.join(given)})" if given else "")
        return text

    def json(self, type):
        """A value for a variable."""
        pick, model = self.random, self.model
        if type.kind == "!":
            return self.json(type.of) if pick.random() < 0.97 else None
        if pick.random() < 0.08:
            return None
        if pick.random() < 0.04:
            return pick.choice([1, -1.5, "x", True, [], {}, [None], {"k0": 1}, 2**31, "V0"])
        if type.kind == "L":
            if pick.random() < 0.15:
                return self.json(type.of)
            return [self.json(type.of) for _ in range(pick.randint(0, 2))]
        name = type.of
        if name in model.enums:
            return pick.choice(model.enums[name])
        if name in model.inputs:
            fields, is_one_of = model.inputs[name]
            if is_one_of:
                key = pick.choice(list(fields))
                return {key: self.json(Type("!", fields[key].type))}
            return {key: self.json(one.type) for key, one in fields.items()
                    if one.is_required or key != "self" and pick.random() < 0.5}
        if name in model.scalars:
            return pick.choice(["s", 3, True, {"a": [1]}])
        return {"Int": 5, "Float": 2.5, "String": "s", "Boolean": True, "ID": "7"}[name]


class Breaker:
    """Breaks texts by their tokens."""

    def __init__(self, maker):
        self.random, model = maker.random, maker.model
        fields = [f for name in model.composites() for f in model.fields(name)]
        arguments = [a for name in model.composites() for one in model.fields(name).values()
                     for a in one.arguments]
        keys = [k for fields_, _ in model.inputs.values() for k in fields_]
        self.names = [
            *model.composites(), *BUILT_IN, *fields, *arguments, *keys, *model.directives,
            *model.enums, *model.inputs, "V0", "V1", "true", "null", "on", "skip", "include",
            "deprecated", "fragment", "query", "mutation", "subscription", "__typename", "nowhere",
            "F1", "F2", "v1", "v2", "x1", "x2", "defer"]

    def broken(self, text):
        for _ in range(self.random.choice([1, 1, 1, 2])):
            text = self.broken_once(text)
        return text

    def broken_once(self, text):
        pick = self.random
        tokens = TOKEN.findall(text)
        places = [i for i, t in enumerate(tokens) if not t.isspace()]
        if not places:
            return "{"
        at = pick.choice(places)
        way = pick.random()
        if way < 0.5:
            names = [i for i in places if re.match(r"[_A-Za-z]", tokens[i])]
            if names:
                at = pick.choice(names)
                like = [t for t in tokens if re.match(r"[_A-Za-z]", t)]
                tokens[at] = pick.choice(like if pick.random() < 0.4 else self.names)
        elif way < 0.7:
            tokens[at] = pick.choice(['1', '"s"', "null", "true", "V0", "{}", "[]", "[null]",
                                      "{k0: 1}", "$v1", "$none", "1.5", "99999999999", "!"])
        elif way < 0.82:
            self.copy_group(tokens, at)
        elif way < 0.92:
            self.drop_group(tokens, at)
        elif way < 0.95:
            del tokens[at]
        else:
            tokens.insert(at, pick.choice(
                ["{", "}", "(", ")", "...", "@skip(if: true)", "@d0", "$", ":", "!", "x1:",
                 "f0", "__typename", "...F1", "\\", "%", '"', "0x", "query", "# note\n", ","]))
        return "".join(tokens)

    @staticmethod
    def group(tokens, at):
        """The tokens from one to the end of the group that it opens, or itself alone."""
        pairs = {"{": "}", "(": ")", "[": "]"}
        depth, end = 0, at
        for end in range(at, len(tokens)):
            if tokens[end] in pairs:
                depth += 1
            elif tokens[end] in pairs.values():
                depth -= 1
                if depth <= 0:
                    break
            if depth == 0 and end > at and tokens[end].isspace():
                break
        return at, end + 1

    def copy_group(self, tokens, at):
        start, end = self.group(tokens, at)
        tokens[end:end] = [" "] + tokens[start:end]

    def drop_group(self, tokens, at):
        start, end = self.group(tokens, at)
        del tokens[start:end]
