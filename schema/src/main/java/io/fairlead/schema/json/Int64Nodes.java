package io.fairlead.schema.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.NumericNode;
import tools.jackson.databind.node.ValueNode;

/**
 * Makes nodes with only two kinds of numbers, int64 and double: what Go's apimachinery knows in an untyped object.
 *
 * <p>An integer beyond int64 becomes a double, as there ({@code sigs.k8s.io/json}, PreserveInts).
 */
final class Int64Nodes extends JsonNodeFactory {
    static final Int64Nodes INSTANCE = new Int64Nodes();

    private static final long serialVersionUID = 1L;

    @Override
    public NumericNode numberNode(byte value) {
        return LongNode.valueOf(value);
    }

    @Override
    public NumericNode numberNode(short value) {
        return LongNode.valueOf(value);
    }

    @Override
    public NumericNode numberNode(int value) {
        return LongNode.valueOf(value);
    }

    @Override
    public NumericNode numberNode(float value) {
        return DoubleNode.valueOf(value);
    }

    @Override
    public ValueNode numberNode(Byte value) {
        return value == null ? nullNode() : LongNode.valueOf(value);
    }

    @Override
    public ValueNode numberNode(Short value) {
        return value == null ? nullNode() : LongNode.valueOf(value);
    }

    @Override
    public ValueNode numberNode(Integer value) {
        return value == null ? nullNode() : LongNode.valueOf(value);
    }

    @Override
    public ValueNode numberNode(Float value) {
        return value == null ? nullNode() : DoubleNode.valueOf(value);
    }

    @Override
    public ValueNode numberNode(BigInteger value) {
        if (value == null) {
            return nullNode();
        }
        return value.bitLength() < Long.SIZE
                ? LongNode.valueOf(value.longValue())
                : DoubleNode.valueOf(value.doubleValue());
    }

    @Override
    public ValueNode numberNode(BigDecimal value) {
        return value == null ? nullNode() : DoubleNode.valueOf(value.doubleValue());
    }
}
