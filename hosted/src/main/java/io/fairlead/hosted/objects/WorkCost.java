package io.fairlead.hosted.objects;

import io.fairlead.schema.json.TreeSize;

/**
 * About what an object takes in the heap while a request works on it, by its text: texts, and trees, of which there are several at a
 * time, as measured with objects from 2 KB to 4 MB.
 *
 * @param textBytes of the text
 * @param tree of the text
 */
record WorkCost(long textBytes, TreeSize tree) {
    private static final int TREES_TO_CHANGE = 5;
    private static final int TREES_TO_CREATE = 6;

    static WorkCost of(byte[] text, Work.Form form) {
        return new WorkCost(
                text.length,
                switch (form) {
                    case JSON -> TreeSize.ofJson(text);
                    case YAML -> TreeSize.ofYaml(text);
                    case PROTOBUF -> TreeSize.ofProtobuf(text);
                });
    }

    /** Of both together: a small object may be changed to a large one. */
    WorkCost with(WorkCost other) {
        return new WorkCost(textBytes + other.textBytes, tree.with(other.tree));
    }

    /** To decode it alone. */
    long toDecode() {
        return 8 * textBytes + tree.bytes();
    }

    /** To decode it, and to encode it or to delete it. */
    long toRead(Codec codec) {
        return 8 * textBytes + treeBytes(codec);
    }

    /** To change it, with its managed fields, and what changes it. */
    long toChange(Codec codec) {
        return 12 * textBytes + TREES_TO_CHANGE * treeBytes(codec);
    }

    /** To make an object of it, which has managed fields then. */
    long toCreate(Codec codec) {
        return 12 * textBytes + TREES_TO_CREATE * treeBytes(codec);
    }

    private long treeBytes(Codec codec) {
        return tree.bytes() + codec.defaultsBytesMax(tree.values());
    }
}
