package org.onesided.tools.kvctl.rdma.machine;

/**
 * The severity of a finding.
 */
enum Level
{
    /** Correct. */
    PASS,
    /** RDMA works, but something will be slow, small or unreachable. */
    WARN,
    /** RDMA does not work until this is fixed. */
    FAIL,
    /** Not checked, because of another finding. */
    SKIP
}
