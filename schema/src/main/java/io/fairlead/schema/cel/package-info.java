/**
 * The CEL of the product: expressions are compiled in an environment of typed variables, with Kubernetes' functions, costs and
 * limits (KEP-2876), and evaluated within a budget.
 *
 * <p>cel-java parses and checks; values, functions, evaluation and costs are here. Environments and compiled expressions are
 * immutable and safe for any thread, a budget belongs to one. Start with {@link io.fairlead.schema.cel.CelEnvironment}.
 */
@NullMarked
package io.fairlead.schema.cel;

import org.jspecify.annotations.NullMarked;
