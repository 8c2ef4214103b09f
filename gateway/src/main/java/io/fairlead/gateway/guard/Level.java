package io.fairlead.gateway.guard;

import org.jspecify.annotations.Nullable;

/** What an object or array within an event is, as far as the guard reads it. */
enum Level {
    /** The guard reads nothing in it. */
    OTHER,
    EVENT(Member.TYPE, Member.OBJECT),
    OBJECT(Member.KIND, Member.API_VERSION, Member.METADATA, Member.ROWS),
    ROWS,
    ROW(Member.OBJECT),
    ROW_OBJECT(Member.METADATA),
    METADATA(Member.NAME, Member.NAMESPACE, Member.RESOURCE_VERSION, Member.ANNOTATIONS),
    ANNOTATIONS(Member.INITIAL_EVENTS_END);

    @SuppressWarnings("ImmutableEnumChecker") // never written to
    private final Member[] members;

    Level(Member... members) {
        this.members = members;
    }

    boolean hasMembers() {
        return members.length > 0;
    }

    /** The member of a name; null if the guard reads none. */
    @Nullable
    Member member(Text name) {
        for (Member member : members) {
            if (member.isNamed(name)) {
                return member;
            }
        }
        return null;
    }

    /** What an object is that stands here as a member, or as an element. */
    Level ofObject(@Nullable Member member) {
        return switch (this) {
            case EVENT -> member == Member.OBJECT ? OBJECT : OTHER;
            case OBJECT, ROW_OBJECT -> member == Member.METADATA ? METADATA : OTHER;
            case ROWS -> ROW;
            case ROW -> member == Member.OBJECT ? ROW_OBJECT : OTHER;
            case METADATA -> member == Member.ANNOTATIONS ? ANNOTATIONS : OTHER;
            case ANNOTATIONS, OTHER -> OTHER;
        };
    }

    /** What an array is that stands here as a member. */
    Level ofArray(@Nullable Member member) {
        return this == OBJECT && member == Member.ROWS ? ROWS : OTHER;
    }
}
