package org.onesided.tools.kvctl.rdma.machine;

import java.util.List;

/**
 * Looks at one precondition of RDMA.
 */
interface Check
{
    /**
     * @return what was found; never empty.
     */
    List<Finding> findings();
}
