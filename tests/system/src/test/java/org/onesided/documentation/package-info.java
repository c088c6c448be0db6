/**
 * The documentation's command lines are run, parsed, or known to another test, so that none of them is stale; and its
 * links lead somewhere.
 */
package org.onesided.documentation;
