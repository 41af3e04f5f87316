"""What graphql-core says to a case, and what its resolvers gave."""
import json
import random

import graphql
from graphql.execution.values import get_variable_values
from graphql.validation import specified_rules
from graphql.validation.validate import validate_sdl

# Rules about @defer and @stream, which our schemas do not have.
RULES = [rule for rule in specified_rules if not rule.__name__.startswith(("Defer", "Stream"))]


def plain(value):
    """Numbers without a fraction as integers, as JSON has only numbers."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return int(value)
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, list) else value


def canonical(arguments):
    return json.dumps(
        plain(arguments), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


class Object:
    """A stored record."""
    def __init__(self, type, id):
        self.type, self.id = type, id


class Values:
    """Resolvers that give by seed what the types ask for, or nearly, and note what they gave."""

    def __init__(self, seed, model):
        self.seed, self.model = seed, model
        self.given = {}

    def resolve(self, source, info, **arguments):
        if isinstance(source, dict):
            return source.get(info.field_name)
        parent = source.id if isinstance(source, Object) else ""
        key = f"{parent}/{info.field_name}/{canonical(arguments)}"
        if key not in self.given:
            pick = random.Random(f"{self.seed}|{key}")
            owner = info.parent_type.name
            type = self.model.fields(owner)[info.field_name].type
            self.given[key] = self.make(type, pick)
        return self.live(self.given[key])

    @staticmethod
    def type_of(value, info, abstract):
        return value.type if isinstance(value, Object) else value.get("__typename")

    def live(self, value):
        """What graphql-core is to see of a described value."""
        if not isinstance(value, dict):
            return value
        if "value" in value:
            return value["value"]
        if "list" in value:
            return [self.live(one) for one in value["list"]]
        if "error" in value:
            return RuntimeError("it was asked to fail")
        return Object(value["type"], value["id"]) if "type" in value else None

    def make(self, type, pick, is_nullable=True):
        if type.kind == "!":
            return self.make(type.of, pick, is_nullable=False)
        odd = pick.random()
        if odd < (0.12 if is_nullable else 0.03):
            return {}
        if odd < (0.16 if is_nullable else 0.06):
            return {"error": True}
        if type.kind == "L":
            if odd > 0.98:
                return {"value": 5}
            return {"list": [self.make(type.of, pick) for _ in range(pick.randint(0, 3))]}
        if self.model.is_leaf(type.of):
            return {"value": self.leaf(type.of, pick)}
        name = pick.choice(self.model.possible(type.of))
        if odd > 0.98 and type.of not in self.model.objects:
            # Of objects the reference does not ask what they are.
            name = pick.choice(list(self.model.objects))
        if name in self.model.embedded:
            return {"value": self.embedded(name, pick)}
        return {"type": name, "id": f"n{pick.randrange(10**9)}"}

    def embedded(self, name, pick):
        made = {"__typename": name}
        for key, field in self.model.fields(name).items():
            one = self.json(field.type, pick)
            if one is not None or pick.random() < 0.5:
                made[key] = one
        return made

    def json(self, type, pick):
        """A member of an embedded object."""
        if type.kind == "!":
            return self.json(type.of, pick) if pick.random() < 0.95 else None
        if pick.random() < 0.1:
            return None
        if type.kind == "L":
            return [self.json(type.of, pick) for _ in range(pick.randint(0, 3))]
        if self.model.is_leaf(type.of):
            return self.leaf(type.of, pick)
        return self.embedded(type.of, pick)

    def leaf(self, name, pick):
        if pick.random() < 0.04:  # of no use to any of them
            return {"Int": 2**31, "Boolean": "yes", "Float": "many"}.get(
                name, "NONE" if name in self.model.enums else 1)
        if name == "Int":
            return pick.choice([0, 1, -5, 2147483647, 12])
        if name == "Float":
            return pick.choice([0.5, -3.25, 7, 1e10])
        if name == "Boolean":
            return pick.random() < 0.5
        if name in self.model.enums:
            return pick.choice(self.model.enums[name])
        if name in self.model.scalars:
            return pick.choice(["s", 4, True, {"b": [1, None], "a": 2}, [3]])
        return pick.choice(["text", "é\n", "", "123"])


class Schema:
    def __init__(self, sdl):
        self.errors, self.schema = None, None
        try:
            document = graphql.parse(sdl)
            errors = validate_sdl(document)
            if not errors:
                self.schema = graphql.build_ast_schema(document, assume_valid_sdl=True)
                errors = validate_schema(self.schema)
        except graphql.GraphQLError as error:
            errors = [error]
        self.errors = errors


def validate_schema(schema):
    try:
        return graphql.validate_schema(schema)
    except TypeError:
        # It looks into defaults before it knows whether they are of an input type.
        return [graphql.GraphQLError("a default of a type that is no input")]


def described(errors):
    return [error.formatted for error in errors]


def answer(schema, model, case, seed):
    """The answer in the engine's form, and the values that were given."""
    values = Values(seed, model)
    try:
        document = graphql.parse(case["document"], allow_empty_selection_sets=False)
    except graphql.GraphQLError as error:
        return {"stage": "syntax", "errors": described([error])}, values
    errors = graphql.validate(
        schema, document, RULES, max_errors=1000, allow_empty_selection_sets=False)
    if errors:
        return {"stage": "validation", "errors": described(errors)}, values
    name = case.get("operationName")
    operations = [
        d for d in document.definitions if isinstance(d, graphql.OperationDefinitionNode)]
    chosen = [d for d in operations if name is None or (d.name and d.name.value == name)]
    if len(chosen) != 1:
        return {"stage": "operation", "errors": [{}]}, values
    given = get_variable_values(
        schema, chosen[0].variable_definitions or (), case["variables"])
    if isinstance(given, list):
        return {"stage": "variables", "errors": described(given)}, values
    result = graphql.execute(
        schema, document, root_value=None, variable_values=case["variables"],
        operation_name=name, field_resolver=values.resolve, type_resolver=values.type_of)
    if chosen[0].operation is graphql.OperationType.SUBSCRIPTION:
        roots = [value for key, value in values.given.items() if key.startswith("/")]
        case["event"] = roots[0] if roots else {}
    response = {"data": result.data}
    if result.errors:
        response["errors"] = described(result.errors)
    return {"response": response}, values
