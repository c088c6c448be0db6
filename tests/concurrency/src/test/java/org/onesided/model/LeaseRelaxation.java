package org.onesided.model;

/**
 * What a client or a leader may do although the rules are stricter: the search finds nothing wrong with it.
 */
enum LeaseRelaxation
{
    /** A proof may be logged while the leader waits if it logs no writes meanwhile, and grants later. */
    PROOF_WHILE_WAITING_AND_NO_WRITES,
    /** A leader may grant again in the term of its RELEASE, with a proof that it logged later. */
    GRANT_AFTER_RELEASE,
    /** A lookup by one READ may count by a lease of a later term of the same life of the server. */
    LEASE_OF_LATER_TERM
}
