"""What may differ from the reference, each for a reason."""


def places(errors):
    return [(error.get("locations") or [], error.get("path") or []) for error in errors]


def empty_literal(case, expected, found):
    """The reference forgets the place of an empty list or object where a leaf is expected."""
    if not expected.get("stage") == found.get("stage") == "validation":
        return False
    theirs, ours = places(expected["errors"]), places(found["errors"])
    placed = [one for one in theirs if one[0]]
    return len(placed) < len(theirs) == len(ours) and all(one in ours for one in placed)


def unknown_directive(case, expected, found):
    """Of an unknown directive's arguments the reference thinks that they are the field's."""
    if not expected.get("stage") == found.get("stage") == "validation":
        return False
    theirs, ours = places(expected["errors"]), places(found["errors"])
    return any("Unknown directive" in e["message"] for e in expected["errors"]) and all(
        one in theirs for one in ours)


def null_condition(case, expected, found):
    """A condition of @skip or @include that is given null: a request error here, and in the
    reference one of the object whose selection set it stands in."""
    errors = expected.get("response", {}).get("errors", [])
    return found.get("stage") == "variables" and any(
        "Argument 'if' has invalid value" in error["message"] for error in errors) and all(
        error["locations"] in [e["locations"] for e in errors] for error in found["errors"])


def one_of_behind_non_null(case, expected, found):
    """The reference does not see that a nullable variable stands in a one-of input object if the
    object's place is non-null."""
    if found.get("stage") != "validation" or expected.get("stage") in ("syntax", "operation"):
        return False
    more = [e for e in found["errors"] if "must be non-nullable to be used for OneOf"
            in e["message"]]
    rest = places([e for e in found["errors"] if e not in more])
    theirs = places(expected["errors"]) if expected.get("stage") == "validation" else []
    return bool(more) and sorted(map(repr, rest)) == sorted(map(repr, [
        one for one in theirs if one not in places(more)]))


def without_defaults(data):
    if isinstance(data, dict):
        return {k: without_defaults(v) for k, v in data.items() if k != "defaultValue"}
    if isinstance(data, list):
        return sorted(map(without_defaults, data), key=repr)
    return data


def default_as_coerced(case, expected, found):
    """A default is shown as it is coerced, a lone item as a list; the reference shows what was
    written."""
    theirs, ours = expected.get("response", {}), found.get("response", {})
    if "__schema" not in case.get("document", "") or "errors" in theirs or "errors" in ours:
        return False
    # The reference's own introspection has more locations of directives.
    short = lambda one: repr(without_defaults(one.get("data"))).replace(
        "{'name': 'FRAGMENT_VARIABLE_DEFINITION'}, ", "").replace(
        "{'name': 'DIRECTIVE_DEFINITION'}, ", "")
    return short(theirs) == short(ours)


EXCEPTIONS = [
    empty_literal, unknown_directive, null_condition, one_of_behind_non_null, default_as_coerced]


def reason(case, expected, found):
    """Why this difference is meant; None if it is not."""
    for exception in EXCEPTIONS:
        if exception(case, expected, found):
            return " ".join(exception.__doc__.split())
    return None
