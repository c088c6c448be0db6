package org.onesided.model;

/**
 * Errors of a client or a leader, each of which lets a lookup that counts return what is not so.
 */
enum LeaseFlaw
{
    /** The client looks up without a lease. */
    LEASE_IGNORED(LeaseBounds.SLOW),
    /** The client posts the READ before it has the lease, and looks at the clock behind the completion only. */
    POSTED_WITHOUT_LEASE(LeaseBounds.SLOW),
    /** The client looks at the clock when it posts the READ only. */
    CLOCK_BEFORE_COMPLETION(LeaseBounds.SLOW),
    /** The lease is counted from the arrival of the grant. */
    COUNTED_FROM_ARRIVAL(LeaseBounds.SLOW),
    /** A grant is taken for that of a later request. */
    GRANT_OF_EARLIER_REQUEST(LeaseBounds.SLOW),
    /** A grant of an older term is believed: it came from another leader than the one that is READ. */
    GRANT_OF_OLDER_TERM(LeaseBounds.SLOW),
    /** A grant of an older life is believed: the server was restarted since. */
    GRANT_OF_OLDER_LIFE(LeaseBounds.RESTART),
    /** A session READs another memory than that of the lease, which another session of the client has asked for. */
    LEASE_OF_OTHER_MEMORY(LeaseBounds.SLOW),
    /** A new leader does not wait. */
    NO_WAIT(LeaseBounds.CHANGE),
    /** A new leader waits for one tick less. */
    WAIT_TOO_SHORT(LeaseBounds.CHANGE),
    /** A leader that logs writes while it waits counts a proof that it logged before them. */
    PROOF_WHILE_WAITING(LeaseBounds.CHANGE),
    /** A new leader grants while it waits. */
    GRANTED_WHILE_WAITING(LeaseBounds.CHANGE),
    /** A new leader answers writes while it waits, if only those that an older leader has logged. */
    ANSWERED_WHILE_WAITING(LeaseBounds.CHANGE),
    /** A follower answers writes that it has applied. */
    FOLLOWER_ANSWERS(LeaseBounds.CHANGE),
    /** A leader grants because it believes that it leads. */
    NO_PROOF(LeaseBounds.CHANGE),
    /** A leader grants because it has had a proof in its term. */
    CACHED_PROOF(LeaseBounds.CHANGE),
    /** The proof was logged before the request came, and committed later. */
    PROOF_BEFORE_REQUEST(LeaseBounds.CHANGE),
    /** The proof is committed, and not applied. */
    GRANTED_BEFORE_APPLIED(LeaseBounds.CHANGE),
    /** A leader logs RELEASE while its leases run. */
    RELEASED_WHILE_LEASES_RUN(LeaseBounds.RELEASE),
    /** A leader grants again, behind its RELEASE, with a proof from before it. */
    GRANTED_AFTER_RELEASE_BY_OLDER_PROOF(LeaseBounds.RELEASE),
    /** A new leader logs RELEASE while it waits for leases of older leaders. */
    RELEASED_WHILE_WAITING(LeaseBounds.TWO_CHANGES),
    /** A new leader skips the wait if there is a RELEASE anywhere in its log. */
    SKIPPED_BY_OLDER_RELEASE(LeaseBounds.LONG_LOG);

    private final LeaseBounds bounds;

    LeaseFlaw(final LeaseBounds bounds)
    {
        this.bounds = bounds;
    }

    /** A small search that finds the flaw. */
    LeaseBounds bounds()
    {
        return bounds;
    }
}
