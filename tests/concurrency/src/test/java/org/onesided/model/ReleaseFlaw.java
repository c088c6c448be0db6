package org.onesided.model;

/**
 * Errors in how a session confirms that its READs go to retired memory no more, each of which lets a READ meet memory
 * that the server has given back.
 */
enum ReleaseFlaw
{
    /** The session looks at what is retired before it says that it reads. */
    LOOK_BEFORE_READING,
    /** A READ of an earlier step is in flight when the session confirms. */
    OLDER_READS_IGNORED,
    /** The session confirms what it saw, and chooses by what it knew before. */
    CHOICE_BY_OLDER,
    /** The session rests while a READ is in flight. */
    REST_AMID_READS,
    /** What to READ is chosen before a rest, and posted after it. */
    CHOICE_KEPT_OVER_REST,
    /** The life line passes no heavy fence. */
    NO_HEAVY_FENCE,
    /** The life line goes on as if the heavy fence had been passed when the system refused it. */
    FAILED_FENCE_IGNORED,
    /** The life line does not look again, behind the fence, whether the session reads. */
    NO_SECOND_LOOK,
    /** The life line confirms what the session cannot see yet. */
    ANNOUNCED_LAST,
    /** The server gives memory back before the session has confirmed. */
    RELEASED_EARLY
}
