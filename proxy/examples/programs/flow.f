C     One-dimensional flow in Fortran 77: mpif.h, a halo by Sendrecv,
C     reductions in place, ghost cells at both ends.
      program flow
      implicit none
      include 'mpif.h'
      integer n, steps
      parameter (n = 200, steps = 100)
      integer ierr, me, ranks, left, right, i, step, line, wrong
      integer dims(1), status(MPI_STATUS_SIZE), requests(4)
      logical periods(1), done
      double precision u(0:n+1), v(0:n+1), mass, first, peak(2)
      call MPI_INIT(ierr)
      call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierr)
      dims(1) = ranks
      periods(1) = .true.
      call MPI_CART_CREATE(MPI_COMM_WORLD, 1, dims, periods, .false.,
     &                     line, ierr)
      call MPI_COMM_RANK(line, me, ierr)
      call MPI_CART_SHIFT(line, 0, 1, left, right, ierr)
      do i = 0, n + 1
         u(i) = dble(mod(me * n + i, 17))
      end do
      first = 0
      do i = 1, n
         first = first + u(i)
      end do
      call MPI_ALLREDUCE(MPI_IN_PLACE, first, 1, MPI_DOUBLE_PRECISION,
     &                   MPI_SUM, line, ierr)
      do step = 1, steps
         call MPI_SENDRECV(u(n), 1, MPI_DOUBLE_PRECISION, right, 1,
     &                     u(0), 1, MPI_DOUBLE_PRECISION, left, 1,
     &                     line, MPI_STATUS_IGNORE, ierr)
         call MPI_IRECV(u(n+1), 1, MPI_DOUBLE_PRECISION, right, 2,
     &                  line, requests(1), ierr)
         call MPI_ISEND(u(1), 1, MPI_DOUBLE_PRECISION, left, 2,
     &                  line, requests(2), ierr)
         call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, ierr)
         do i = 1, n
            v(i) = u(i) - 0.4d0 * (u(i) - u(i-1))
         end do
         do i = 1, n
            u(i) = v(i)
         end do
      end do
      mass = 0
      peak(1) = 0
      peak(2) = dble(me)
      do i = 1, n
         mass = mass + u(i)
         peak(1) = max(peak(1), u(i))
      end do
      call MPI_ALLREDUCE(MPI_IN_PLACE, mass, 1, MPI_DOUBLE_PRECISION,
     &                   MPI_SUM, line, ierr)
      call MPI_REDUCE(peak, v, 1, MPI_2DOUBLE_PRECISION, MPI_MAXLOC,
     &                0, line, ierr)
      call MPI_RECV(v, 1, MPI_INTEGER, MPI_PROC_NULL, 3, line, status,
     &              ierr)
      wrong = 0
      if (abs(mass - first) .gt. 1d-6 * first) wrong = 1
      if (status(MPI_SOURCE) .ne. MPI_PROC_NULL) wrong = 1
      if (me .eq. 0) print '(a,f12.4,a,f12.4)', ' flow: mass ', mass,
     &   ' of ', first
      call MPI_IBARRIER(line, requests(1), ierr)
      call MPI_WAIT(requests(1), MPI_STATUS_IGNORE, ierr)
      call MPI_SSEND_INIT(u(n), 1, MPI_DOUBLE_PRECISION, right, 4,
     &                    line, requests(1), ierr)
      call MPI_RECV_INIT(v(1), 1, MPI_DOUBLE_PRECISION, left, 4,
     &                   line, requests(2), ierr)
      do step = 1, 3
         call MPI_START(requests(2), ierr)
         call MPI_START(requests(1), ierr)
         call MPI_WAITALL(2, requests, MPI_STATUSES_IGNORE, ierr)
      end do
      call MPI_REQUEST_FREE(requests(1), ierr)
      call MPI_REQUEST_FREE(requests(2), ierr)
      call MPI_COMM_FREE(line, ierr)
      call MPI_FINALIZE(ierr)
      if (wrong .ne. 0) stop 1
      end
