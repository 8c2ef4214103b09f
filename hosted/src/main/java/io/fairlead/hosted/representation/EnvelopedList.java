package io.fairlead.hosted.representation;

import io.fairlead.hosted.ListBody;
import io.fairlead.schema.protobuf.ProtobufList;
import java.util.function.UnaryOperator;
import tools.jackson.databind.node.ObjectNode;

/** A list in protobuf. */
record EnvelopedList(ProtobufList list, UnaryOperator<ObjectNode> head, UnaryOperator<ObjectNode> shown)
        implements ListBody {
    @Override
    public boolean sizesFirst() {
        return true;
    }

    @Override
    public byte[] begin(ObjectNode whole, long itemBytes) {
        return list.begin(head.apply(whole), itemBytes);
    }

    @Override
    public byte[] item(ObjectNode object, boolean first) {
        return list.item(shown.apply(object));
    }

    @Override
    public byte[] end() {
        return ProtobufList.end();
    }
}
